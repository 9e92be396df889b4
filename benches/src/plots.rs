//! Plots of the figures beside the table, as SVG files: run time beside gcc and others, compile
//! time over the size of a function, footprint. Each says on what machine and with which versions
//! it was measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Figure;
use crate::compiled::WAYS;

/// The size of a plot.
const SIZE: (u32, u32) = (760, 380);

/// The colours of ours, of others, and of what all are compared with.
const OURS: RGBColor = RGBColor(36, 87, 214);
const OTHERS: RGBColor = RGBColor(152, 162, 179);
const INK: RGBColor = RGBColor(28, 35, 48);

/// How the cost of compiling a function grows with its length.
pub struct Curve {
    pub name: String,
    /// Instructions of the function and microseconds for each of them.
    pub points: Vec<(f64, f64)>,
}

/// A plot with a bar for each of some figures.
struct Bars {
    file: &'static str,
    title: &'static str,
    unit: &'static str,
    /// The label of each bar and the figure that it shows.
    rows: Vec<(&'static str, String)>,
    /// The label of the bar for 1, that which all are compared with.
    one: Option<&'static str>,
}

impl Bars {
    /// Returns a plot of the ways of running the sixteen programs, or a half of the others.
    fn run_time(file: &'static str, title: &'static str, half: Option<&str>) -> Self {
        let rows = WAYS.iter().map(|way| (way.name, way.what(half)));
        Self {
            file,
            title,
            unit: "",
            rows: rows.collect(),
            one: Some("gcc -O2"),
        }
    }
}

/// Returns the plots with bars.
fn bars() -> [Bars; 3] {
    let footprint = [
        (
            "reader, verifier, linker, interpreter (riscv64)",
            "riscv64 bare metal without text, KB",
        ),
        ("JIT of level 0 (x86_64)", "level 0, KB"),
        ("JIT of levels 0 and 1", "levels 0 and 1, KB"),
        ("JIT of levels 0 to 2", "of it levels 0 to 2, KB"),
        ("JIT of levels 0 to 3", "generator and x86_64 backend, KB"),
    ];
    [
        Bars::run_time(
            "run-time.svg",
            "Run time of sixteen programs, times gcc -O2 (geometric mean, less is better)",
            None,
        ),
        Bars::run_time(
            "run-time-unseen.svg",
            "Run time of programs never tuned on, times gcc -O2 (geometric mean, less is better)",
            Some("unseen"),
        ),
        Bars {
            file: "footprint.svg",
            title: "Code on bare metal, KB (less is better)",
            unit: " KB",
            rows: footprint.map(|(label, what)| (label, what.into())).into(),
            one: None,
        },
    ]
}

/// Writes the plots for which there are figures to a directory; returns their paths.
pub fn write(
    directory: &Path,
    figures: &[Figure],
    curves: &[Curve],
    machine: &str,
) -> Result<Vec<PathBuf>, String> {
    fs::create_dir_all(directory).map_err(|error| error.to_string())?;
    let below = format!("{machine}; {}", versions());
    let mut written = Vec::new();
    for bars in bars() {
        let value = |what: &str| { figures.iter() }.find(|figure| figure.what == what)?.value;
        let measured = bars.rows.iter();
        let measured = measured.filter_map(|(label, what)| Some((*label, value(what)?)));
        let one = bars.one.map(|label| (label, 1.0));
        let rows: Vec<_> = one.into_iter().chain(measured).collect();
        if rows.len() > usize::from(bars.one.is_some()) {
            let path = directory.join(bars.file);
            draw_bars(&path, &bars, &rows, &below).map_err(|error| error.to_string())?;
            written.push(path);
        }
    }
    if !curves.is_empty() {
        let path = directory.join("compile-time.svg");
        draw_curves(&path, curves, &below).map_err(|error| error.to_string())?;
        written.push(path);
    }
    Ok(written)
}

/// Returns the versions of what is measured.
fn versions() -> String {
    let gcc = Command::new("gcc").arg("-dumpfullversion").output();
    let gcc = gcc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!(
        "mir-nostd {}, gcc {}, Cranelift 0.135",
        env!("CARGO_PKG_VERSION"),
        gcc.unwrap_or_default()
    )
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Fills the background, and writes what is below a plot; returns the rest.
fn paper<'a>(
    root: &DrawingArea<SVGBackend<'a>, Shift>,
    below: &str,
) -> Result<DrawingArea<SVGBackend<'a>, Shift>, Box<dyn std::error::Error>> {
    root.fill(&WHITE)?;
    let small = ("sans-serif", 11).into_font().color(&INK.mix(0.7));
    let (plot, foot) = root.split_vertically(SIZE.1 - 24);
    foot.draw(&Text::new(below.to_owned(), (12, 4), small))?;
    Ok(plot)
}

/// Draws bars, each with a label and a value.
fn draw_bars(path: &Path, bars: &Bars, rows: &[(&str, f64)], below: &str) -> Drawn {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    let plot = paper(&root, below)?;
    let title = ("sans-serif", 16).into_font().color(&INK);
    plot.draw(&Text::new(bars.title, (12, 10), title))?;
    let most = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    let longest = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
    let (left, top) = (24 + 7 * longest as i32, 46);
    let step = (SIZE.1 as i32 - 24 - top - 10) / rows.len() as i32;
    let room = f64::from(SIZE.0 as i32 - left - 90);
    let label = ("sans-serif", 13).into_font().color(&INK);
    let at_right = label.pos(Pos::new(HPos::Right, VPos::Center));
    let at_left = ("sans-serif", 13).into_font().color(&INK);
    let at_left = at_left.pos(Pos::new(HPos::Left, VPos::Center));
    for (number, &(name, value)) in rows.iter().enumerate() {
        let y = top + step * number as i32;
        let end = left + (value / most * room) as i32;
        let is_ours = !["gcc", "clang", "Cranelift"]
            .iter()
            .any(|other| name.starts_with(other));
        let color = if is_ours { OURS } else { OTHERS };
        let corners = [(left, y + step / 8), (end, y + step - step / 8)];
        plot.draw(&Rectangle::new(corners, color.filled()))?;
        let middle = y + step / 2;
        plot.draw(&Text::new(name, (left - 8, middle), at_right.clone()))?;
        let value = match bars.unit {
            "" => format!("{value:.2}"),
            unit => format!("{value:.0}{unit}"),
        };
        plot.draw(&Text::new(value, (end + 6, middle), at_left.clone()))?;
    }
    root.present()?;
    Ok(())
}

/// Draws the time for an instruction over the length of a function.
fn draw_curves(path: &Path, curves: &[Curve], below: &str) -> Drawn {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    let plot = paper(&root, below)?;
    let points = || curves.iter().flat_map(|curve| curve.points.iter());
    let shortest = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let longest = points().map(|point| point.0).fold(0.0, f64::max);
    let most = points().map(|point| point.1).fold(0.0, f64::max);
    let font = |size: u32| ("sans-serif", size).into_font().color(&INK);
    let mut chart = ChartBuilder::on(&plot)
        .caption(
            "Compile time for one instruction, over the length of a function",
            font(16),
        )
        .margin(10)
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d((shortest..longest).log_scale(), 0.0..most * 1.5)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(INK.mix(0.12))
        .axis_style(INK.mix(0.5))
        .label_style(font(12))
        .x_desc("instructions of the function")
        .y_desc("microseconds")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.1}"))
        .draw()?;
    let colors = [
        OURS,
        RGBColor(18, 183, 106),
        RGBColor(247, 144, 9),
        RGBColor(217, 45, 32),
        OTHERS,
        INK,
    ];
    for (curve, color) in curves.iter().zip(colors.into_iter().cycle()) {
        let line = LineSeries::new(curve.points.iter().copied(), color.stroke_width(2));
        chart
            .draw_series(line.point_size(3))?
            .label(&curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(INK.mix(0.2))
        .label_font(font(12))
        .draw()?;
    root.present()?;
    Ok(())
}
