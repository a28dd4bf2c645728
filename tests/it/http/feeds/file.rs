//! Calendar files as their readers see them.

/// A component: its name, its properties and its components, in their order.
#[derive(Debug, Default)]
pub(super) struct Component {
    pub(super) name: String,
    pub(super) properties: Vec<Property>,
    pub(super) components: Vec<Component>,
}

/// A property: its name, its parameters as written, and its value as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) parameters: String,
    pub(super) value: String,
}

impl Component {
    /// Reads a file, and checks what every file must be.
    pub(super) fn read(file: &str) -> Self {
        assert!(file.ends_with("END:VCALENDAR\r\n"), "{file}");
        for line in file.split("\r\n") {
            assert!(line.len() <= 75 && !line.contains(['\r', '\n']), "{line:?}");
        }
        let mut open = vec![Self::default()];
        for line in file.replace("\r\n ", "").trim_end().split("\r\n") {
            let property = Property::read(line);
            match property.name.as_str() {
                "BEGIN" => open.push(Self { name: property.value, ..Self::default() }),
                "END" => {
                    let ended = open.pop().unwrap();
                    assert_eq!(ended.name, property.value);
                    open.last_mut().unwrap().components.push(ended);
                }
                _ => open.last_mut().unwrap().properties.push(property),
            }
        }
        let [calendar] = <[_; 1]>::try_from(open.remove(0).components).unwrap();
        calendar
    }

    /// The components of a kind.
    pub(super) fn all(&self, name: &str) -> Vec<&Self> {
        self.components.iter().filter(|one| one.name == name).collect()
    }

    /// The events.
    pub(super) fn events(&self) -> Vec<&Self> {
        self.all("VEVENT")
    }

    /// The only event with a value of a property.
    pub(super) fn event(&self, name: &str, value: &str) -> &Self {
        let events = self.events();
        let mut found = events.iter().filter(|event| event.get(name) == Some(value));
        let event = found.next().unwrap_or_else(|| panic!("no {name}:{value} in {self:?}"));
        assert!(found.next().is_none(), "{name}:{value} twice");
        event
    }

    /// The value of a property.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.property(name).map(|one| one.value.as_str())
    }

    /// The first property of a name.
    pub(super) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|one| one.name == name)
    }

    /// A property as written, behind its name.
    pub(super) fn line(&self, name: &str) -> Option<String> {
        self.property(name).map(|one| format!("{}:{}", one.parameters, one.value))
    }

    /// The titles of the events, in their order.
    pub(super) fn titles(&self) -> Vec<&str> {
        self.events().iter().filter_map(|event| event.get("SUMMARY")).collect()
    }
}

impl Property {
    fn read(line: &str) -> Self {
        let mut quoted = false;
        let end = line.find(|letter| {
            quoted ^= letter == '"';
            letter == ':' && !quoted
        });
        let (head, value) = line.split_at(end.unwrap_or_else(|| panic!("no colon in {line:?}")));
        let (name, parameters) = head.split_once(';').unwrap_or((head, ""));
        Self {
            name: name.to_owned(),
            parameters: parameters.to_owned(),
            value: value[1..].to_owned(),
        }
    }
}
