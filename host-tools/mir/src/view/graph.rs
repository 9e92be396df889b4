//! Drawings of control-flow graphs: where each block lies and how each edge runs, laid out here so
//! that the page only paints.

use core::cell::RefCell;
use core::fmt::Write;
use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// The most blocks of a graph that is laid out in layers, which takes time out of proportion to
/// their number; the page draws larger ones in one column.
const MOST_BLOCKS: usize = 64;

/// The most blocks of a graph in which fewer crossings of edges are looked for, which takes most of
/// the time.
const MOST_UNCROSSED: usize = 32;

/// The size of a block in a drawing.
const SIZE: (f64, f64) = (132.0, 40.0);

/// A control-flow graph: its blocks in the order of the layout, and its edges.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Graph {
    pub(super) blocks: Vec<u32>,
    pub(super) edges: Vec<(u32, u32)>,
}

/// The graphs of the stages of a function: each is drawn once.
#[derive(Debug, Default)]
pub(super) struct Graphs {
    numbers: HashMap<Graph, usize>,
    drawn: Vec<Value>,
}

impl Graphs {
    /// Returns the number of a graph in [`Graphs::finish`].
    pub(super) fn number(&mut self, graph: Graph) -> usize {
        let next = self.drawn.len();
        let number = *self.numbers.entry(graph.clone()).or_insert(next);
        if number == next {
            self.drawn.push(draw(&graph));
        }
        number
    }

    /// Returns the drawings; null where the page is to draw one column.
    pub(super) fn finish(self) -> Value {
        Value::Array(self.drawn)
    }
}

/// The canvas that the library draws on: it notes places and paths.
#[derive(Default)]
struct Canvas {
    /// The left upper corner of each block, in the order in which they were added.
    corners: Vec<Point>,
    /// The path of each edge, in the form of SVG, with the number of the edge.
    paths: Vec<(String, String)>,
}

impl RenderBackend for Canvas {
    fn draw_rect(
        &mut self,
        corner: Point,
        _: Point,
        _: &StyleAttr,
        _: Option<String>,
        _: Option<ClipHandle>,
    ) {
        self.corners.push(corner);
    }

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_text(&mut self, _: Point, _: &str, _: &StyleAttr) {}

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        _: (bool, bool),
        _: &StyleAttr,
        edge: Option<String>,
        _: &str,
    ) {
        // An edge is told by its number; `back` behind it says that it was turned around.
        let Some(edge) = edge else { return };
        match edge.strip_suffix("back") {
            Some(edge) => self.paths.push((edge.into(), reversed(path))),
            None => self.paths.push((edge, forward(path))),
        }
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}

/// Returns the commands of a path of curves: the first pair has the start and its control point,
/// each other one the control point before a point and the point.
fn forward(path: &[(Point, Point)]) -> String {
    let Some(((start, control), rest)) = path.split_first() else {
        return String::new();
    };
    let mut text = format!("M{:.0} {:.0}", start.x, start.y);
    let mut first = Some(control);
    for (control, end) in rest {
        match first.take() {
            Some(first) => {
                let _ = write!(text, "C{:.0} {:.0} ", first.x, first.y);
            }
            None => text.push('S'),
        }
        let _ = write!(
            text,
            "{:.0} {:.0} {:.0} {:.0}",
            control.x, control.y, end.x, end.y
        );
    }
    text
}

/// Returns the commands of the same path from its end to its start.
fn reversed(path: &[(Point, Point)]) -> String {
    let Some((&(start, leaving), rest)) = path.split_first() else {
        return String::new();
    };
    // The control point with which each curve leaves its start is the mirror of the one before.
    let mut curves = Vec::new();
    let (mut from, mut control) = (start, leaving);
    for &(arriving, end) in rest {
        curves.push((from, control, arriving, end));
        control = Point::new(2.0 * end.x - arriving.x, 2.0 * end.y - arriving.y);
        from = end;
    }
    let mut text = format!("M{:.0} {:.0}", from.x, from.y);
    for (start, leaving, arriving, _) in curves.into_iter().rev() {
        let _ = write!(
            text,
            "C{:.0} {:.0} {:.0} {:.0} {:.0} {:.0}",
            arriving.x, arriving.y, leaving.x, leaving.y, start.x, start.y
        );
    }
    text
}

/// Returns the numbers of the edges that lead back to a block on the way to them, in a depth-first
/// search from the first block: without them the graph has no cycles.
fn back_edges(graph: &Graph) -> HashSet<usize> {
    let mut leaving: HashMap<u32, Vec<(usize, u32)>> = HashMap::new();
    for (number, &(from, to)) in graph.edges.iter().enumerate() {
        leaving.entry(from).or_default().push((number, to));
    }
    let (mut back, mut seen, mut on_way) = (HashSet::new(), HashSet::new(), HashSet::new());
    for &root in &graph.blocks {
        if !seen.insert(root) {
            continue;
        }
        on_way.insert(root);
        let mut way = vec![(root, 0)];
        while let Some((block, next)) = way.last_mut() {
            let edge = leaving.get(block).and_then(|edges| edges.get(*next));
            let Some(&(number, to)) = edge else {
                on_way.remove(block);
                way.pop();
                continue;
            };
            *next += 1;
            if on_way.contains(&to) {
                back.insert(number);
            } else if seen.insert(to) {
                on_way.insert(to);
                way.push((to, 0));
            }
        }
    }
    back
}

/// Lays out a graph in layers: returns its size, the corner of each block and the path of each
/// edge; null if it is too large for that.
fn draw(graph: &Graph) -> Value {
    if graph.blocks.len() > MOST_BLOCKS || graph.blocks.is_empty() {
        return Value::Null;
    }
    let down = Orientation::TopToBottom;
    let mut drawing = VisualGraph::new(down);
    let mut handles = HashMap::new();
    for &block in &graph.blocks {
        let size = Point::new(SIZE.0, SIZE.1);
        let shape = ShapeKind::Box(String::new());
        let element = Element::create(shape, StyleAttr::simple(), down, size);
        handles.insert(block, drawing.add_node(element));
    }
    // The library turns edges around until there is no cycle, as it meets them; what is done here
    // keeps the entry above all it leads to.
    let back = back_edges(graph);
    for (number, (from, to)) in graph.edges.iter().enumerate() {
        if let (Some(&source), Some(&target)) = (handles.get(from), handles.get(to)) {
            let is_back = from != to && back.contains(&number);
            let suffix = if is_back { "back" } else { "" };
            let arrow = Arrow::simple_with_properties("", format!("{number}{suffix}"));
            match is_back {
                true => drawing.add_edge(arrow, target, source),
                false => drawing.add_edge(arrow, source, target),
            }
        }
    }
    let canvas = RefCell::new(Canvas::default());
    let keeps_crossings = graph.blocks.len() > MOST_UNCROSSED;
    drawing.do_it(false, keeps_crossings, false, &mut *canvas.borrow_mut());
    let Canvas { corners, paths } = canvas.into_inner();
    let number = |value: f64| value.round() as i64;
    let nodes = graph.blocks.iter().zip(&corners);
    let nodes: Vec<_> = nodes
        .map(|(block, corner)| json!([block, number(corner.x), number(corner.y)]))
        .collect();
    let edges: Vec<_> = paths
        .iter()
        .filter_map(|(edge, path)| {
            let (from, to) = graph.edges.get(edge.parse::<usize>().ok()?)?;
            Some(json!([from, to, path]))
        })
        .collect();
    json!({ "size": [SIZE.0, SIZE.1], "nodes": nodes, "edges": edges })
}
