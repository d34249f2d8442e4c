import SchemaKitCommands

@main struct Main { static func main() {} }
