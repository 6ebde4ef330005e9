//! One colour and one sign for each method, the same in every figure; colour-blind people can tell them apart.

/// How a method is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodStyle {
    /// `#rrggbb`.
    pub colour: &'static str,
    /// The sign of its points.
    pub sign: Sign,
}

/// The sign of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A filled circle.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle.
    Triangle,
    /// A filled diamond.
    Diamond,
    /// An upright cross.
    Plus,
    /// A diagonal cross.
    Cross,
}

/// After Okabe and Ito, "Color universal design", 2008; wine (Paul Tol) in place of their yellow, which is too light for lines.
const STYLES: [(&str, MethodStyle); 7] = [
    ("sparse-meshless", MethodStyle { colour: "#d55e00", sign: Sign::Circle }),
    ("uniform-eigenmodes", MethodStyle { colour: "#56b4e9", sign: Sign::Square }),
    ("material-eigenmodes", MethodStyle { colour: "#0072b2", sign: Sign::Triangle }),
    ("hrpd", MethodStyle { colour: "#e69f00", sign: Sign::Diamond }),
    ("anchored", MethodStyle { colour: "#009e73", sign: Sign::Circle }),
    ("cardinal-eigenmodes", MethodStyle { colour: "#cc79a7", sign: Sign::Square }),
    ("adaptive", MethodStyle { colour: "#9b3a6b", sign: Sign::Triangle }),
];

/// The style of a method by its name; grey for any other.
pub fn method_style(method: &str) -> MethodStyle {
    let found = STYLES.iter().find(|(name, _)| *name == method);
    found.map_or(MethodStyle { colour: "#7f8890", sign: Sign::Plus }, |(_, style)| *style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_methods_look_alike() {
        for (index, (_, style)) in STYLES.iter().enumerate() {
            assert!(STYLES[..index].iter().all(|(_, other)| other.colour != style.colour));
            assert_eq!(method_style(STYLES[index].0), *style);
        }
        assert_eq!(method_style("else").colour, "#7f8890");
    }
}
