//! `[[subspaces]]` of a scene: a method, a frame count, and the method's own options.
//!
//! A new method is one more variant of [`MethodSpec`]: its name, its option keys, and how they are read.

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HrpdKernel {
    Wendland,
    Quartic,
}
use pliant::graph::{EdgeReduction, FirstNode, LloydCentre, SamplingOptions, UncoveredComponents};

use super::{Node, Origin, Table, Value, choose};
use crate::failure::Failure;
use crate::names::{listed, nearest_name};

/// Frames of a subspace when nothing says otherwise.
pub const DEFAULT_FRAMES: usize = 9;

/// One `[[subspaces]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SubspaceSpec {
    /// The method with its options.
    pub method: MethodSpec,
    /// k; default [`DEFAULT_FRAMES`].
    pub frames: usize,
    /// Where it was written; none for a default.
    pub origin: Option<Origin>,
}

/// A method with its options; what the scene leaves out has the library's default.
#[derive(Clone, Debug, PartialEq)]
pub enum MethodSpec {
    /// Voronoi weights of nodes sampled in compliance distance.
    SparseMeshless(SparseMeshlessSpec),
    /// Skinning eigenmodes of the plain Laplacian.
    UniformEigenmodes,
    /// Skinning eigenmodes of the Laplacian weighted by the shear modulus.
    MaterialEigenmodes,
    /// Radial kernels around nodes sampled in geodesic distance.
    Hrpd(HrpdSpec),
}

/// Options of `sparse-meshless`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseMeshlessSpec {
    /// s of the weights; none is the library's default.
    pub support_scale: Option<f64>,
    /// How the compliances around an edge become one.
    pub edge_reduction: EdgeReduction,
    /// How nodes are sampled.
    pub sampling: SamplingOptions,
}

/// Options of `hrpd`; none is the library's default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HrpdSpec {
    /// The kernel's shape.
    pub kernel: Option<HrpdKernel>,
    /// s of the support radius.
    pub support_scale: Option<f64>,
}

/// The name of every method, as the command line and the reports spell it.
pub const METHODS: [&str; 4] = ["sparse-meshless", "uniform-eigenmodes", "material-eigenmodes", "hrpd"];

impl MethodSpec {
    /// As the command line and the reports spell it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SparseMeshless(_) => "sparse-meshless",
            Self::UniformEigenmodes => "uniform-eigenmodes",
            Self::MaterialEigenmodes => "material-eigenmodes",
            Self::Hrpd(_) => "hrpd",
        }
    }

    /// The method of this name with the library's defaults.
    ///
    /// # Errors
    /// Another name; the message names the nearest one.
    pub fn from_name(name: &str) -> Result<Self, String> {
        match name {
            "sparse-meshless" => Ok(Self::SparseMeshless(SparseMeshlessSpec::default())),
            "uniform-eigenmodes" => Ok(Self::UniformEigenmodes),
            "material-eigenmodes" => Ok(Self::MaterialEigenmodes),
            "hrpd" => Ok(Self::Hrpd(HrpdSpec::default())),
            _ => {
                let nearest = nearest_name(name, METHODS).unwrap_or("none");
                Err(format!(
                    "there is no method \"{name}\"; the nearest is \"{nearest}\" (the methods are {})",
                    listed(&METHODS)
                ))
            }
        }
    }

    /// The keys of this method's options.
    fn option_keys(&self) -> &'static [&'static str] {
        match self {
            Self::SparseMeshless(_) => &[
                "support_scale",
                "edge_reduction",
                "lloyd_passes",
                "lloyd_centre",
                "first_node",
                "seeds",
                "uncovered_components",
            ],
            Self::UniformEigenmodes | Self::MaterialEigenmodes => &[],
            Self::Hrpd(_) => &["kernel", "support_scale"],
        }
    }

    fn with_options(self, table: &Table<'_>) -> Result<Self, Failure> {
        let kernels = [("wendland", HrpdKernel::Wendland), ("quartic", HrpdKernel::Quartic)];
        Ok(match self {
            Self::SparseMeshless(default) => Self::SparseMeshless(SparseMeshlessSpec {
                support_scale: table.optional("support_scale", support_scale)?,
                edge_reduction: choice(table, "edge_reduction", &REDUCTIONS, default.edge_reduction)?,
                sampling: read_sampling(table, default.sampling)?,
            }),
            Self::Hrpd(_) => Self::Hrpd(HrpdSpec {
                kernel: table.choice("kernel", &kernels)?.map(|choice| choice.value),
                support_scale: table.optional("support_scale", Node::positive)?,
            }),
            method => method,
        })
    }
}

const REDUCTIONS: [(&str, EdgeReduction); 3] =
    [("mean", EdgeReduction::Mean), ("min", EdgeReduction::Min), ("max", EdgeReduction::Max)];

fn read_sampling(table: &Table<'_>, default: SamplingOptions) -> Result<SamplingOptions, Failure> {
    let centres = [
        ("euclidean-mean", LloydCentre::EuclideanMean),
        ("compliance-medoid", LloydCentre::ComplianceMedoid),
    ];
    let uncovered = [("reject", UncoveredComponents::Reject), ("add-nodes", UncoveredComponents::AddNodes)];
    Ok(SamplingOptions {
        first: table.optional("first_node", read_first_node)?.unwrap_or(default.first),
        seeds: table.optional("seeds", Node::indices)?.unwrap_or(default.seeds),
        lloyd_passes: table.optional("lloyd_passes", Node::index)?.unwrap_or(default.lloyd_passes),
        lloyd_centre: choice(table, "lloyd_centre", &centres, default.lloyd_centre)?,
        uncovered_components: choice(
            table,
            "uncovered_components",
            &uncovered,
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

fn choice<T: Copy>(table: &Table<'_>, key: &str, choices: &[(&str, T)], default: T) -> Result<T, Failure> {
    Ok(table.choice(key, choices)?.map_or(default, |choice| choice.value))
}

fn support_scale(node: &Node, name: &str) -> Result<f64, Failure> {
    let value = node.number(name)?;
    if value > 0.5 { Ok(value) } else { Err(node.mismatch(name, "a number above 0.5")) }
}

impl SubspaceSpec {
    /// Every method at [`DEFAULT_FRAMES`] frames.
    pub fn defaults() -> Vec<Self> {
        let methods = METHODS.into_iter().filter_map(|name| MethodSpec::from_name(name).ok());
        methods.map(|method| Self { method, frames: DEFAULT_FRAMES, origin: None }).collect()
    }

    /// Reads one item of `[[subspaces]]`.
    ///
    /// # Errors
    /// A method that does not exist, a frame count that is not a whole number from 1, or an option that the method does not
    /// have.
    pub fn read(node: &Node, path: &str) -> Result<Self, Failure> {
        let methods = Self::defaults().into_iter().map(|spec| spec.method);
        let every_key: Vec<&str> = methods.flat_map(|method| method.option_keys()).copied().collect();
        let known = |keys: &[&'static str]| [&["method", "frames"][..], keys].concat();
        let table = Table::new(node, path, &known(&every_key))?;
        let name = table.required("method", Node::string)?;
        let method = MethodSpec::from_name(&name.value).map_err(|message| name.origin.wrong(message))?;
        for key in every_key.iter().filter(|key| !method.option_keys().contains(key)) {
            if let Some(node) = table.get(key) {
                return Err(node.origin.wrong(format_args!(
                    "{} is no option of the method {}, whose options are {}; leave it out",
                    table.name(key),
                    method.name(),
                    listed(method.option_keys())
                )));
            }
        }
        let frames = table.get("frames");
        Ok(Self {
            method: method.with_options(&table)?,
            frames: table.optional("frames", Node::count)?.unwrap_or(DEFAULT_FRAMES),
            origin: Some(frames.map_or_else(|| table.origin().clone(), |node| node.origin.clone())),
        })
    }
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
        assert_eq!(spec.frames, 4);
        let MethodSpec::SparseMeshless(options) = spec.method else { panic!("the method that was named") };
        assert_eq!((options.support_scale, options.sampling.lloyd_passes), (Some(1.5), 0));
    }

    #[test]
    fn an_option_of_another_method_is_refused() {
        assert_eq!(
            read("method = \"sparse-meshless\"\nkernel = \"quartic\"").unwrap_err().to_string(),
            "a.toml, line 2: subspaces[0].kernel is no option of the method sparse-meshless, whose options are \
             support_scale, edge_reduction, lloyd_passes, lloyd_centre, first_node, seeds and uncovered_components; \
             leave it out"
        );
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
