// Stand-ins for public types of SwiftUI, by the names in https://developer.apple.com/documentation/swiftui: a file of an app
// imports them beside its models.

public protocol View {
  associatedtype Body
  var body: Body { get }
}
public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { fatalError("A stand-in shows nothing.") }
}
public struct Table<Value> {
  public init(_ values: [Value]) {}
}

public protocol App {}
public protocol Commands {}
public protocol DynamicProperty {}
public protocol Gesture {}
public protocol Layout {}
public protocol PreviewProvider {}
public protocol Scene {}
public protocol Shape {}
public protocol ToolbarContent {}
public protocol ViewModifier {}
public enum Alert {}
public enum Alignment {}
public enum Anchor {}
public enum Angle {}
public enum Animation {}
public enum AppStorage {}
public enum Axis {}
public enum Binding {}
public enum Button {}
public enum Canvas {}
public enum Capsule {}
public enum Circle {}
public enum Color {}
public enum ColorPicker {}
public enum ContentMode {}
public enum ControlGroup {}
public enum DatePicker {}
public enum DisclosureGroup {}
public enum Divider {}
public enum Edge {}
public enum EditMode {}
public enum Environment {}
public enum EnvironmentObject {}
public enum EnvironmentValues {}
public enum FetchRequest {}
public enum FetchedResults {}
public enum FocusState {}
public enum Font {}
public enum ForEach {}
public enum Form {}
public enum Gauge {}
public enum Gradient {}
public enum Grid {}
public enum GridItem {}
public enum GridRow {}
public enum Group {}
public enum GroupBox {}
public enum HStack {}
public enum Image {}
public enum KeyEquivalent {}
public enum Label {}
public enum LabeledContent {}
public enum LazyHStack {}
public enum LazyVStack {}
public enum Link {}
public enum List {}
public enum Material {}
public enum Menu {}
public enum Namespace {}
public enum NavigationLink {}
public enum NavigationPath {}
public enum NavigationStack {}
public enum OpenURLAction {}
public enum OutlineGroup {}
public enum Path {}
public enum Picker {}
public enum PinnedScrollableViews {}
public enum PreferenceKey {}
public enum ProgressView {}
public enum Query {}
public enum Rectangle {}
public enum RefreshAction {}
public enum RenameAction {}
public enum ScaledMetric {}
public enum ScenePhase {}
public enum SceneStorage {}
public enum ScrollView {}
public enum SearchScope {}
public enum SectionedFetchRequest {}
public enum Section {}
public enum SecureField {}
public enum Settings {}
public enum ShareLink {}
public enum Slider {}
public enum Spacer {}
public enum State {}
public enum StateObject {}
public enum Stepper {}
public enum SubmitLabel {}
public enum Tab {}
public enum TabView {}
public enum TableColumn {}
public enum TableRow {}
public enum TextEditor {}
public enum TextField {}
public enum TimelineView {}
public enum Toggle {}
public enum Transaction {}
public enum Transferable {}
public enum UnitPoint {}
public enum VStack {}
public enum Visibility {}
public enum Window {}
public enum WindowGroup {}
public enum ZStack {}
