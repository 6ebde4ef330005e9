//! Units of length that files state.

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// 1 m.
    Metre,
    /// 0.01 m.
    Centimetre,
    /// 0.001 m.
    Millimetre,
    /// 0.000001 m.
    Micrometre,
    /// 0.0254 m.
    Inch,
}

impl LengthUnit {
    /// All units.
    pub const ALL: [Self; 5] =
        [Self::Metre, Self::Centimetre, Self::Millimetre, Self::Micrometre, Self::Inch];

    /// `m`, `cm`, `mm`, `um` or `in`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Centimetre => "cm",
            Self::Millimetre => "mm",
            Self::Micrometre => "um",
            Self::Inch => "in",
        }
    }

    /// The unit in m.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 1e-2,
            Self::Millimetre => 1e-3,
            Self::Micrometre => 1e-6,
            Self::Inch => 0.0254,
        }
    }

    /// The unit of a symbol; micrometres also as `micron` and with the Greek letter.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        match symbol {
            "micron" | "microns" | "\u{b5}m" | "\u{3bc}m" => Some(Self::Micrometre),
            _ => Self::ALL.into_iter().find(|unit| unit.symbol() == symbol),
        }
    }
}
