//! Options of the commands that work on one subspace: its frame count and its method's own options.

use std::sync::Arc;

use clap::Args;

use crate::failure::Failure;
use crate::scene::{Entry, Node, Origin, Scene, SubspaceSpec, Value, parse_value};
use crate::space_method::SpaceMethod;

/// The frame count and options of one subspace.
#[derive(Args, Clone, Debug)]
pub struct SpaceOptions {
    /// Number of frames (default: the scene's for this method, or 9)
    #[arg(long, value_name = "K")]
    pub frames: Option<usize>,
    /// An option of the method as in [[subspaces]] (TOML syntax), for example support_scale=1.5 or lloyd_passes=0
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
}

impl SpaceOptions {
    /// The subspace of this method: the scene's first one of the method, with what the command line says instead.
    ///
    /// # Errors
    /// A method that does not exist, no frames, or an option that the method does not have.
    pub fn specification(&self, method: &str, scene: &Scene) -> Result<SubspaceSpec, Failure> {
        let method = SpaceMethod::parse(method)?;
        let of_scene = scene.subspaces.iter().find(|spec| spec.method == method);
        let mut spec = of_scene.cloned().unwrap_or_else(|| SubspaceSpec::of_method(method));
        if !self.options.is_empty() {
            let read = self.read_options(method)?;
            spec = SubspaceSpec { options: read.options, growth: read.growth, ..spec };
        }
        if let Some(frames) = self.frames {
            let origin = Origin::Option(Arc::from(format!("--frames {frames}")));
            if frames == 0 {
                return Err(origin.wrong("a subspace needs at least 1 frame; give a larger number"));
            }
            spec.frames = frames;
            spec.origin = Some(origin);
        }
        Ok(spec)
    }

    /// Reads the options as if they stood in one item of `[[subspaces]]`.
    fn read_options(&self, method: SpaceMethod) -> Result<SubspaceSpec, Failure> {
        let origin = Origin::Option(Arc::from(format!("--option of {method}")));
        let name = Node { value: Value::String(method.to_string()), origin: origin.clone() };
        let mut entries = vec![Entry { key: "method".to_owned(), origin: origin.clone(), node: name }];
        for option in &self.options {
            let origin = Origin::Option(Arc::from(format!("--option {option}")));
            let (key, value) = option
                .split_once('=')
                .ok_or_else(|| origin.wrong("write it as KEY=VALUE, for example lloyd_passes=0"))?;
            let node = parse_value(value.trim(), &origin)?;
            entries.push(Entry { key: key.trim().to_owned(), origin, node });
        }
        let table = Node { value: Value::Table(entries), origin };
        SubspaceSpec::read(&table, "the subspace")
    }
}
