import SchemaKit

/// Places the boxes of a diagram: parents left of their children, in layers; connected boxes stay together.
///
/// The same input always produces the same picture. *Cost:* nearly linear in boxes and edges.
struct DiagramLayout: Sendable {
  /// A box with its position.
  struct Box: Sendable, Hashable {
    var x = 0
    var y = 0
    var width: Int
    var height: Int
  }

  private(set) var boxes: [Box]
  private(set) var width = 0
  private(set) var height = 0
  private let parents: [[Int]]
  private let children: [[Int]]

  /// The space between two boxes of a column, and between two columns.
  private static let gap = (vertical: 28, horizontal: 88)
  private static let margin = 24

  /// Places boxes.
  ///
  /// - Parameters:
  ///   - sizes: The sizes of the boxes.
  ///   - edges: From a child to its parent, by position.
  init(sizes: [(width: Int, height: Int)], edges: [(child: Int, parent: Int)]) {
    boxes = sizes.map { Box(width: $0.width, height: $0.height) }
    var up = [Set<Int>](repeating: [], count: sizes.count)
    var down = up
    for edge in edges where edge.child != edge.parent {
      up[edge.child].insert(edge.parent)
      down[edge.parent].insert(edge.child)
    }
    parents = up.map { $0.sorted() }
    children = down.map { $0.sorted() }
    let groups = self.groups()
    var areas: [(members: [Int], width: Int, height: Int)] = []
    for group in groups where group.count > 1 { areas.append(place(group)) }
    let single = groups.filter { $0.count == 1 }.flatMap { $0 }.enumerated()
      .sorted { (boxes[$1.element].height, $0.offset) < (boxes[$0.element].height, $1.offset) }.map(\.element)
    areas += single.map { ([$0], boxes[$0].width, boxes[$0].height) }
    pack(areas)
  }

  /// The connected groups of boxes, each in the order of its first box.
  private func groups() -> [[Int]] {
    var isSeen = [Bool](repeating: false, count: boxes.count)
    var groups: [[Int]] = []
    for start in boxes.indices where !isSeen[start] {
      var group: [Int] = []
      var open = [start]
      isSeen[start] = true
      while let next = open.popLast() {
        group.append(next)
        for other in parents[next] + children[next] where !isSeen[other] {
          isSeen[other] = true
          open.append(other)
        }
      }
      groups.append(group.sorted())
    }
    return groups
  }

  /// The length of the longest chain of parents left of each box; an edge that closes a cycle does not count.
  private func depths(of group: [Int]) -> [Int: Int] {
    var depths: [Int: Int] = [:]
    var isOpen: Set<Int> = []
    for start in group where depths[start] == nil {
      // An explicit stack: chains may be longer than the program's stack allows.
      var path = [(node: start, next: 0)]
      isOpen.insert(start)
      while let top = path.last {
        if top.next < parents[top.node].count {
          path[path.count - 1].next += 1
          let parent = parents[top.node][top.next]
          if depths[parent] == nil, isOpen.insert(parent).inserted { path.append((parent, 0)) }
        } else {
          depths[top.node] = (parents[top.node].compactMap { depths[$0] }.max() ?? -1) + 1
          isOpen.remove(top.node)
          path.removeLast()
        }
      }
    }
    return depths
  }

  /// The boxes of each layer in an order that keeps edges short.
  private func layers(of group: [Int]) -> [[Int]] {
    let depths = depths(of: group)
    var layers = [[Int]](repeating: [], count: (depths.values.max() ?? 0) + 1)
    for node in group { layers[depths[node] ?? 0].append(node) }
    var ranks: [Int: Double] = [:]
    func note(_ layer: [Int]) {
      for (index, node) in layer.enumerated() { ranks[node] = Double(index) / Double(max(1, layer.count - 1)) }
    }
    func sort(_ layer: [Int], by neighbours: [[Int]]) -> [Int] {
      let keys = layer.enumerated().map { index, node -> (Double, Int, Int) in
        let near = neighbours[node].compactMap { ranks[$0] }
        let mean = near.isEmpty ? ranks[node] ?? 0 : near.reduce(0, +) / Double(near.count)
        return (mean, index, node)
      }
      return keys.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
    for layer in layers { note(layer) }
    for _ in 0..<4 {
      for index in layers.indices {
        layers[index] = sort(layers[index], by: parents)
        note(layers[index])
      }
      for index in layers.indices.reversed() {
        layers[index] = sort(layers[index], by: children)
        note(layers[index])
      }
    }
    return layers
  }

  /// Places the boxes of a group from the origin on.
  private mutating func place(_ group: [Int]) -> (members: [Int], width: Int, height: Int) {
    let area = group.reduce(0) { $0 + (boxes[$1].width + Self.gap.horizontal) * (boxes[$1].height + Self.gap.vertical) }
    // A layer that is much higher than the rest of the picture is split into several columns.
    let limit = max(800, Int(Double(area).squareRoot()))
    var columns: [(nodes: [Int], height: Int)] = []
    for layer in layers(of: group) {
      var column: (nodes: [Int], height: Int) = ([], 0)
      for node in layer {
        let height = boxes[node].height + Self.gap.vertical
        if !column.nodes.isEmpty, column.height + height > limit {
          columns.append(column)
          column = ([], 0)
        }
        column.nodes.append(node)
        column.height += height
      }
      columns.append(column)
    }
    let total = (columns.map(\.height).max() ?? 0) - Self.gap.vertical
    var x = 0
    for column in columns {
      var y = (total - column.height + Self.gap.vertical) / 2
      for node in column.nodes {
        boxes[node].x = x
        boxes[node].y = y
        y += boxes[node].height + Self.gap.vertical
      }
      x += (column.nodes.map { boxes[$0].width }.max() ?? 0) + Self.gap.horizontal
    }
    return (group, x - Self.gap.horizontal, total)
  }

  /// Puts groups beside each other, line by line, in a picture that is about as wide as it is high.
  private mutating func pack(_ areas: [(members: [Int], width: Int, height: Int)]) {
    let room = areas.reduce(0) { $0 + ($1.width + Self.gap.vertical) * ($1.height + Self.gap.vertical) }
    let limit = max(1100, Int(Double(room).squareRoot() * 1.2), areas.map(\.width).max() ?? 0)
    var (x, y, line) = (0, 0, 0)
    for area in areas {
      if x > 0, x + area.width > limit {
        y += line + Self.gap.vertical
        (x, line) = (0, 0)
      }
      for node in area.members {
        boxes[node].x += x + Self.margin
        boxes[node].y += y + Self.margin
      }
      width = max(width, x + area.width + 2 * Self.margin)
      line = max(line, area.height)
      // Groups of several boxes have loops at their sides.
      x += area.width + (area.members.count > 1 ? Self.gap.horizontal : 2 * Self.gap.vertical)
    }
    height = y + line + 2 * Self.margin
  }
}
