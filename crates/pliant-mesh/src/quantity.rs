//! Numbers with a unit: `10 kPa`, `1.2 g/cm^3`.

/// What a number with a unit measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// In Pa.
    Pressure,
    /// In kg/m^3.
    Density,
}

impl Quantity {
    /// The units that are known, the first one plain.
    pub fn units(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::Pressure => &[
                ("Pa", 1.0),
                ("kPa", 1e3),
                ("MPa", 1e6),
                ("GPa", 1e9),
                ("N/mm^2", 1e6),
                ("psi", 6894.757293168),
            ],
            Self::Density => {
                &[("kg/m^3", 1.0), ("g/cm^3", 1e3), ("g/mL", 1e3), ("t/m^3", 1e3), ("kg/m^2", 1.0)]
            }
        }
    }

    /// The value of a text in the plain unit, which may be left out; none if it is no finite number with a known unit.
    pub fn parse(self, text: &str) -> Option<f64> {
        let text = text.trim();
        // The longest of the units that the text ends in: kPa ends in Pa.
        let unit =
            self.units().iter().filter(|(unit, _)| text.ends_with(unit)).max_by_key(|(unit, _)| unit.len());
        let (number, factor) = match unit {
            Some((unit, factor)) => (&text[..text.len() - unit.len()], *factor),
            None => (text, 1.0),
        };
        let value = number.trim().parse::<f64>().ok()? * factor;
        value.is_finite().then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_scale_the_number_and_may_be_left_out() {
        for (text, value) in
            [("10 kPa", 1e4), ("1GPa", 1e9), ("2.5e3", 2500.0), (" 3 Pa ", 3.0), ("1 N/mm^2", 1e6)]
        {
            assert_eq!(Quantity::Pressure.parse(text), Some(value), "{text}");
        }
        assert_eq!(Quantity::Density.parse("1.25 g/cm^3"), Some(1250.0));
        for text in ["", "kPa", "10 kpa", "10 mmHg", "inf Pa", "1 2 Pa", "1 kg/m^3"] {
            assert_eq!(Quantity::Pressure.parse(text), None, "{text}");
        }
    }
}
