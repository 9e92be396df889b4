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

/// The most blocks of a graph that is laid out in layers; the page draws larger ones in one column.
const MOST_BLOCKS: usize = 1024;

/// The most layers that edges pass through in all between the blocks that they join. The library
/// makes a node of each, and takes time out of proportion to their number; the longest edges are
/// led around the blocks instead.
const MOST_PASSED: usize = 500;

/// The most blocks of a graph in which fewer crossings of edges are looked for, which takes most of
/// the time.
const MOST_UNCROSSED: usize = 64;

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
        // An edge is told by its number; `back` after it says that it was turned around.
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

/// A graph as the library is given it: without cycles.
struct Acyclic {
    /// For each edge the blocks above and below, by their indexes, and its number, in the order of
    /// the blocks above, each of which is after all that are above it. The library looks for a way
    /// from the lower block to the upper one before it takes an edge, and so finds nothing below.
    edges: Vec<(usize, usize, usize)>,
    /// The edges that lead up.
    back: HashSet<usize>,
    /// The layer of each block: the longest way to it.
    layers: Vec<usize>,
}

impl Acyclic {
    fn of(graph: &Graph) -> Acyclic {
        let places = (graph.blocks.iter().enumerate()).map(|(place, &block)| (block, place));
        let places: HashMap<u32, usize> = places.collect();
        let joined = graph
            .edges
            .iter()
            .enumerate()
            .filter_map(|(number, (from, to))| {
                Some((*places.get(from)?, *places.get(to)?, number))
            });
        let mut edges: Vec<_> = joined.collect();
        let (order, back) = depth_first(graph.blocks.len(), &edges);
        for (from, to, number) in &mut edges {
            if back.contains(number) {
                core::mem::swap(from, to);
            }
        }
        edges.sort_by_key(|&(from, _, _)| order[from]);
        let mut layers = vec![0; graph.blocks.len()];
        for &(from, to, _) in edges.iter().filter(|(from, to, _)| from != to) {
            layers[to] = layers[to].max(layers[from] + 1);
        }
        Acyclic {
            edges,
            back,
            layers,
        }
    }

    /// Takes the longest edges out, as long as all pass more than [`MOST_PASSED`] layers; returns
    /// their numbers. None of them decides the layer of a block.
    fn take_longest(&mut self) -> Vec<usize> {
        let layers = &self.layers;
        let passed =
            |&(from, to, _): &(usize, usize, usize)| (layers[to] - layers[from]).saturating_sub(1);
        let mut lengths: Vec<usize> = self.edges.iter().map(passed).collect();
        lengths.sort_unstable();
        let mut sum = 0;
        let longest = lengths.into_iter().find(|length| {
            sum += length;
            sum > MOST_PASSED
        });
        let is_led =
            |edge: &(usize, usize, usize)| longest.is_some_and(|most| passed(edge) >= most);
        let (led, kept) = self.edges.iter().partition(|edge| is_led(edge));
        self.edges = kept;
        let led: Vec<(usize, usize, usize)> = led;
        led.into_iter().map(|(_, _, number)| number).collect()
    }
}

/// Returns the position of each block in an order in which edges lead forward, and the numbers of
/// the edges that do not: those that lead back to a block on the way to them, in a depth-first
/// search from the first block. Without them the graph has no cycles.
fn depth_first(blocks: usize, edges: &[(usize, usize, usize)]) -> (Vec<usize>, HashSet<usize>) {
    let mut leaving: Vec<Vec<(usize, usize)>> = vec![Vec::new(); blocks];
    for &(from, to, number) in edges {
        leaving[from].push((number, to));
    }
    let (mut order, mut left) = (vec![0; blocks], blocks);
    let mut back = HashSet::new();
    let (mut seen, mut on_way) = (vec![false; blocks], vec![false; blocks]);
    for root in 0..blocks {
        let mut way = Vec::new();
        if !seen[root] {
            (seen[root], on_way[root]) = (true, true);
            way.push((root, 0));
        }
        while let Some((block, next)) = way.last_mut() {
            let Some(&(number, to)) = leaving[*block].get(*next) else {
                left -= 1;
                (order[*block], on_way[*block]) = (left, false);
                way.pop();
                continue;
            };
            *next += 1;
            if on_way[to] && to != *block {
                back.insert(number);
            } else if !seen[to] {
                (seen[to], on_way[to]) = (true, true);
                way.push((to, 0));
            }
        }
    }
    (order, back)
}

/// Returns the way of an edge around the blocks: out of the bottom of its source, along beside all
/// blocks, on the right side downwards and on the left side upwards, into the top of its target.
/// Edges to one target share a lane.
fn around(corners: &[Point], from: usize, to: usize, lane: usize) -> String {
    /// The distance of ways from blocks and of lanes from each other.
    const GAP: f64 = 10.0;
    let middle = |block: usize| corners[block].x + SIZE.0 / 2.0;
    let (out, into) = (corners[from].y + SIZE.1, corners[to].y);
    let places = corners.iter().map(|corner| corner.x);
    let beside = GAP * (2 + lane) as f64;
    let x = match into > out {
        true => places.fold(f64::MIN, f64::max) + SIZE.0 + beside,
        false => places.fold(f64::MAX, f64::min) - beside,
    };
    let points = [
        (middle(from), out + GAP),
        (x, out + GAP),
        (x, into - GAP),
        (middle(to), into - GAP),
        (middle(to), into),
    ];
    let mut text = format!("M{:.0} {out:.0}", middle(from));
    for (x, y) in points {
        let _ = write!(text, "L{x:.0} {y:.0}");
    }
    text
}

/// Lays out a graph in layers: returns its size, the corner of each block and the path of each
/// edge; null if it is too large for that.
fn draw(graph: &Graph) -> Value {
    if graph.blocks.len() > MOST_BLOCKS || graph.blocks.is_empty() {
        return Value::Null;
    }
    let down = Orientation::TopToBottom;
    let mut drawing = VisualGraph::new(down);
    // The library looks for cycles after each edge; there are none.
    drawing.dag.set_validate(false);
    let node = |_| {
        let size = Point::new(SIZE.0, SIZE.1);
        let shape = ShapeKind::Box(String::new());
        let element = Element::create(shape, StyleAttr::simple(), down, size);
        drawing.add_node(element)
    };
    let handles: Vec<_> = graph.blocks.iter().map(node).collect();
    // The library turns edges around until there is no cycle, as it meets them; what is done here
    // keeps the entry above all it leads to.
    let mut acyclic = Acyclic::of(graph);
    let led = acyclic.take_longest();
    for &(from, to, number) in &acyclic.edges {
        let is_back = acyclic.back.contains(&number);
        let suffix = if is_back { "back" } else { "" };
        let arrow = Arrow::simple_with_properties("", format!("{number}{suffix}"));
        drawing.add_edge(arrow, handles[from], handles[to]);
    }
    let canvas = RefCell::new(Canvas::default());
    let keeps_crossings = graph.blocks.len() > MOST_UNCROSSED;
    drawing.do_it(false, keeps_crossings, false, &mut *canvas.borrow_mut());
    let Canvas { corners, mut paths } = canvas.into_inner();
    paths.extend(lead(graph, &corners, &led));
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

/// Returns the paths of edges that are led around the blocks, with their numbers.
fn lead(graph: &Graph, corners: &[Point], led: &[usize]) -> Vec<(String, String)> {
    let place = |block| graph.blocks.iter().position(|&other| other == block);
    let mut lanes = HashMap::new();
    let path = |&number: &usize| {
        let (from, to) = graph.edges[number];
        let next = lanes.len();
        let lane = *lanes.entry(to).or_insert(next);
        let path = around(corners, place(from)?, place(to)?, lane);
        Some((number.to_string(), path))
    };
    led.iter().filter_map(path).collect()
}
