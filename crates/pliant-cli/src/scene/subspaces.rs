//! `[[subspaces]]` of a scene: a method, a frame count, and the method's own options.

use pliant::basis::{HrpdKernel, HrpdOptions, Method, MethodOptions, VoronoiOptions};
use pliant::graph::{EdgeReduction, FirstNode, LloydCentre, SamplingOptions, UncoveredComponents};
use pliant::statics::AdaptiveOptions;

use super::anchored_options::{ANCHORED_KEYS, CARDINAL_KEYS, read_anchored, read_cardinal};
use super::{Node, Origin, Table, Value, choose};
use crate::failure::Failure;
use crate::names::listed;
use crate::space_method::SpaceMethod;

/// Frames of a subspace when nothing says otherwise.
pub const DEFAULT_FRAMES: usize = 9;

/// One `[[subspaces]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SubspaceSpec {
    /// The method.
    pub method: SpaceMethod,
    /// k; default [`DEFAULT_FRAMES`].
    pub frames: usize,
    /// What the scene says of the method's own options, the library's defaults for the rest.
    pub options: MethodOptions,
    /// How adaptive frames grow, the frame count apart.
    pub growth: AdaptiveOptions,
    /// Where `frames` (or else the subspace) was written; none for a default.
    pub origin: Option<Origin>,
}

/// The keys of a method's own options; a method that is not listed has none.
fn option_keys(method: SpaceMethod) -> &'static [&'static str] {
    match method {
        SpaceMethod::Weights(Method::SparseMeshless) => &[
            "support_scale",
            "edge_reduction",
            "lloyd_passes",
            "lloyd_centre",
            "first_node",
            "seeds",
            "uncovered_components",
        ],
        SpaceMethod::Weights(Method::Hrpd) => &["kernel", "support_scale", "uncovered_components"],
        SpaceMethod::Weights(Method::Anchored) => &ANCHORED_KEYS,
        SpaceMethod::Weights(Method::CardinalEigenmodes) => &CARDINAL_KEYS,
        SpaceMethod::Adaptive => &["full_steps", "fit_passes", "stiff_part_advantage", "threshold"],
        SpaceMethod::Weights(_) => &[],
    }
}

impl SubspaceSpec {
    /// The method with the library's options at [`DEFAULT_FRAMES`] frames.
    pub fn of_method(method: SpaceMethod) -> Self {
        Self {
            method,
            frames: DEFAULT_FRAMES,
            options: MethodOptions::default(),
            growth: AdaptiveOptions::default(),
            origin: None,
        }
    }

    /// The four methods that fit every body, at [`DEFAULT_FRAMES`] frames.
    pub fn defaults() -> Vec<Self> {
        let methods =
            [Method::SparseMeshless, Method::UniformEigenmodes, Method::MaterialEigenmodes, Method::Hrpd];
        methods.into_iter().map(|method| Self::of_method(SpaceMethod::Weights(method))).collect()
    }

    /// Reads one item of `[[subspaces]]`.
    ///
    /// # Errors
    /// A method that does not exist, a frame count that is not a whole number from 1, or an option that the method does not
    /// have.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let every_option: Vec<&str> = SpaceMethod::all().into_iter().flat_map(option_keys).copied().collect();
        let table = Table::new(node, path, &[&["method", "frames"][..], &every_option].concat())?;
        let names: Vec<_> = SpaceMethod::all().into_iter().map(|method| (method.name(), method)).collect();
        let method = choose(table.require("method")?, &table.name("method"), &names)?.value;
        for key in every_option.iter().filter(|key| !option_keys(method).contains(key)) {
            if let Some(node) = table.get(key) {
                return Err(node.origin.wrong(format_args!(
                    "{} is no option of the method {method}, whose options are {}; leave it out",
                    table.name(key),
                    listed(option_keys(method))
                )));
            }
        }
        let frames = table.get("frames");
        Ok(Self {
            method,
            frames: table.optional("frames", Node::count)?.unwrap_or(DEFAULT_FRAMES),
            options: read_options(method, &table)?,
            growth: read_growth(method, &table)?,
            origin: Some(frames.map_or_else(|| table.origin().clone(), |node| node.origin.clone())),
        })
    }
}

fn read_options(method: SpaceMethod, table: &Table<'_>) -> Result<MethodOptions, Failure> {
    let mut options = MethodOptions::default();
    match method {
        SpaceMethod::Weights(Method::SparseMeshless) => {
            let reductions =
                [("mean", EdgeReduction::Mean), ("min", EdgeReduction::Min), ("max", EdgeReduction::Max)];
            options.edge_reduction = choice(table, "edge_reduction", &reductions, options.edge_reduction)?;
            options.sampling = read_sampling(table, options.sampling)?;
            options.voronoi = read_voronoi(table, options.voronoi)?;
        }
        SpaceMethod::Weights(Method::Hrpd) => options.hrpd = read_hrpd(table, options.hrpd)?,
        SpaceMethod::Weights(Method::Anchored) => options.anchored = read_anchored(table)?,
        SpaceMethod::Weights(Method::CardinalEigenmodes) => {
            options.cardinal = read_cardinal(table, options.cardinal)?;
        }
        _ => {}
    }
    Ok(options)
}

fn read_growth(method: SpaceMethod, table: &Table<'_>) -> Result<AdaptiveOptions, Failure> {
    let default = AdaptiveOptions::default();
    if method != SpaceMethod::Adaptive {
        return Ok(default);
    }
    Ok(AdaptiveOptions {
        full_steps: table.optional("full_steps", Node::count)?.unwrap_or(default.full_steps),
        fit_passes: table.optional("fit_passes", Node::count)?.unwrap_or(default.fit_passes),
        stiff_part_advantage: table
            .optional("stiff_part_advantage", Node::positive)?
            .unwrap_or(default.stiff_part_advantage),
        threshold: table.optional("threshold", Node::fraction)?.unwrap_or(default.threshold),
        ..default
    })
}

fn read_sampling(table: &Table<'_>, default: SamplingOptions) -> Result<SamplingOptions, Failure> {
    let centres = [
        ("euclidean-mean", LloydCentre::EuclideanMean),
        ("compliance-medoid", LloydCentre::ComplianceMedoid),
    ];
    Ok(SamplingOptions {
        first: table.optional("first_node", read_first_node)?.unwrap_or(default.first),
        seeds: table.optional("seeds", Node::indices)?.unwrap_or(default.seeds),
        lloyd_passes: table.optional("lloyd_passes", Node::index)?.unwrap_or(default.lloyd_passes),
        lloyd_centre: choice(table, "lloyd_centre", &centres, default.lloyd_centre)?,
        uncovered_components: choice(
            table,
            "uncovered_components",
            &UNCOVERED,
            default.uncovered_components,
        )?,
    })
}

/// A vertex by its index, or the name of a rule.
fn read_first_node(node: &Node, name: &str) -> Result<FirstNode, Failure> {
    let rules = [
        ("smallest-first-coordinate", FirstNode::SmallestFirstCoordinate),
        ("compliance-centre", FirstNode::ComplianceCentre),
    ];
    match node.value {
        Value::Integer(_) => node.index(name).map(FirstNode::Vertex),
        _ => choose(node, name, &rules).map(|rule| rule.value),
    }
}

fn read_voronoi(table: &Table<'_>, default: VoronoiOptions) -> Result<VoronoiOptions, Failure> {
    let read = |node: &Node, name: &str| match node.number(name)? {
        scale if scale > 0.5 => Ok(scale),
        _ => Err(node.mismatch(name, "a number above 0.5")),
    };
    let support_scale = table.optional("support_scale", read)?.unwrap_or(default.support_scale);
    Ok(VoronoiOptions { support_scale })
}

fn read_hrpd(table: &Table<'_>, default: HrpdOptions) -> Result<HrpdOptions, Failure> {
    let kernels = [("wendland", HrpdKernel::Wendland), ("quartic", HrpdKernel::Quartic)];
    let read = |node: &Node, name: &str| match node.number(name)? {
        scale if scale > 1.0 => Ok(scale),
        _ => Err(node.mismatch(name, "a number above 1")),
    };
    Ok(HrpdOptions {
        kernel: choice(table, "kernel", &kernels, default.kernel)?,
        support_scale: table.optional("support_scale", read)?.or(default.support_scale),
        uncovered_components: choice(
            table,
            "uncovered_components",
            &UNCOVERED,
            default.uncovered_components,
        )?,
    })
}

const UNCOVERED: [(&str, UncoveredComponents); 2] =
    [("reject", UncoveredComponents::Reject), ("add-nodes", UncoveredComponents::AddNodes)];

fn choice<T: Copy>(table: &Table<'_>, key: &str, choices: &[(&str, T)], default: T) -> Result<T, Failure> {
    Ok(table.choice(key, choices)?.map_or(default, |choice| choice.value))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::parse_document;
    use super::*;

    fn read(text: &str) -> Result<SubspaceSpec, Failure> {
        let document = parse_document(text, Path::new("a.toml"))?;
        SubspaceSpec::read(&document, "subspaces[0]")
    }

    #[test]
    fn a_method_has_its_own_options() {
        let spec =
            read("method = \"sparse-meshless\"\nframes = 4\nsupport_scale = 1.5\nlloyd_passes = 0").unwrap();
        assert_eq!((spec.method.name(), spec.frames), ("sparse-meshless", 4));
        assert_eq!((spec.options.voronoi.support_scale, spec.options.sampling.lloyd_passes), (1.5, 0));
    }

    #[test]
    fn an_option_of_another_method_is_refused() {
        assert_eq!(
            read("method = \"hrpd\"\nlloyd_passes = 3").unwrap_err().to_string(),
            "a.toml, line 2: subspaces[0].lloyd_passes is no option of the method hrpd, whose options are kernel, \
             support_scale and uncovered_components; leave it out"
        );
    }

    #[test]
    fn the_first_node_is_a_vertex_or_a_rule() {
        let first = |text: &str| read(&format!("method = \"sparse-meshless\"\nfirst_node = {text}"));
        assert_eq!(first("7").unwrap().options.sampling.first, FirstNode::Vertex(7));
        let rule = first("\"compliance-centre\"").unwrap();
        assert_eq!(rule.options.sampling.first, FirstNode::ComplianceCentre);
        assert!(first("\"centre\"").unwrap_err().to_string().contains("compliance-centre"));
    }

    #[test]
    fn the_support_scale_of_sparse_meshless_is_above_one_half() {
        let message = read("method = \"sparse-meshless\"\nsupport_scale = 0.5").unwrap_err().to_string();
        assert!(message.ends_with("must be a number above 0.5, not 0.5"), "{message}");
    }

    #[test]
    fn no_frames_at_all_is_refused_and_a_missing_count_is_nine() {
        let message = read("method = \"hrpd\"\nframes = 0").unwrap_err().to_string();
        assert_eq!(message, "a.toml, line 2: subspaces[0].frames must be a whole number from 1, not 0");
        assert_eq!(read("method = \"hrpd\"").unwrap().frames, 9);
    }
}
