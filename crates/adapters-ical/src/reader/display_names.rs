//! Time zone names of Windows as Exchange and Outlook show them to people.

use super::windows_zones;

/// The IANA zone of a name that is shown to people, or of another form of a Windows name: with the
/// offset in brackets (`(UTC-05:00) Eastern Time (US & Canada)`), a number behind it
/// (`Eastern Standard Time 1`), of the summer (`Eastern Daylight Time`), or an abbreviation.
pub(super) fn iana_name(name: &str) -> Option<&'static str> {
    let name = without_number(without_offset(name));
    let shown = DISPLAY_NAMES
        .iter()
        .find(|(shown, _)| shown.eq_ignore_ascii_case(name));
    let shown = shown.map(|(_, windows)| *windows);
    let abbreviated = || {
        let found = ABBREVIATIONS
            .iter()
            .find(|(short, _)| short.eq_ignore_ascii_case(name));
        found.map(|(_, iana)| *iana)
    };
    windows_zones::iana_name(shown.unwrap_or(name))
        .or_else(|| windows_zones::iana_name(&standard(name)?))
        .or_else(abbreviated)
}

/// The name behind `(UTC-05:00)` or `(GMT-05:00)`.
fn without_offset(name: &str) -> &str {
    let Some((offset, rest)) = name.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
        return name;
    };
    let is_offset = ["UTC", "GMT"].iter().any(|start| {
        offset
            .get(..3)
            .is_some_and(|own| own.eq_ignore_ascii_case(start))
    });
    if is_offset { rest.trim() } else { name }
}

/// The name before a number that a program adds where a file has two definitions of the name.
fn without_number(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((rest, number))
            if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() =>
        {
            let is_name = windows_zones::iana_name(name).is_some();
            if is_name { name } else { rest.trim() }
        }
        _ => name,
    }
}

/// The name of the standard time, from the name of the summer time.
fn standard(name: &str) -> Option<String> {
    let at = name.len().checked_sub("Daylight Time".len())?;
    let is_summer = name.get(at..)?.eq_ignore_ascii_case("Daylight Time");
    is_summer.then(|| format!("{}Standard Time", &name[..at]))
}

/// Abbreviations that mean one zone without doubt, and are no names of the IANA database.
const ABBREVIATIONS: [(&str, &str); 14] = [
    ("CEST", "CET"),
    ("EDT", "America/New_York"),
    ("EEST", "EET"),
    ("HKT", "Asia/Hong_Kong"),
    ("JST", "Asia/Tokyo"),
    ("KST", "Asia/Seoul"),
    ("MDT", "America/Denver"),
    ("MSK", "Europe/Moscow"),
    ("NZDT", "Pacific/Auckland"),
    ("NZST", "Pacific/Auckland"),
    ("PDT", "America/Los_Angeles"),
    ("SGT", "Asia/Singapore"),
    ("WEST", "WET"),
    ("Z", "UTC"),
];

/// The names that are shown to people, each with its name of Windows.
#[rustfmt::skip]
const DISPLAY_NAMES: [(&str, &str); 144] = [
    ("International Date Line West", "Dateline Standard Time"),
    ("Midway Island, Samoa", "UTC-11"),
    ("Hawaii", "Hawaiian Standard Time"),
    ("Aleutian Islands", "Aleutian Standard Time"),
    ("Marquesas Islands", "Marquesas Standard Time"),
    ("Alaska", "Alaskan Standard Time"),
    ("Baja California", "Pacific Standard Time (Mexico)"),
    ("Tijuana, Baja California", "Pacific Standard Time (Mexico)"),
    ("Pacific Time (US & Canada)", "Pacific Standard Time"),
    ("Pacific Time (US & Canada); Tijuana", "Pacific Standard Time"),
    ("Arizona", "US Mountain Standard Time"),
    ("Mountain Time (US & Canada)", "Mountain Standard Time"),
    ("Chihuahua, La Paz, Mazatlan", "Mountain Standard Time (Mexico)"),
    ("La Paz, Mazatlan", "Mountain Standard Time (Mexico)"),
    ("Yukon", "Yukon Standard Time"),
    ("Central America", "Central America Standard Time"),
    ("Central Time (US & Canada)", "Central Standard Time"),
    ("Guadalajara, Mexico City, Monterrey", "Central Standard Time (Mexico)"),
    ("Easter Island", "Easter Island Standard Time"),
    ("Saskatchewan", "Canada Central Standard Time"),
    ("Bogota, Lima, Quito", "SA Pacific Standard Time"),
    ("Bogota, Lima, Quito, Rio Branco", "SA Pacific Standard Time"),
    ("Chetumal", "Eastern Standard Time (Mexico)"),
    ("Eastern Time (US & Canada)", "Eastern Standard Time"),
    ("Haiti", "Haiti Standard Time"),
    ("Havana", "Cuba Standard Time"),
    ("Indiana (East)", "US Eastern Standard Time"),
    ("Turks and Caicos", "Turks And Caicos Standard Time"),
    ("Asuncion", "Paraguay Standard Time"),
    ("Atlantic Time (Canada)", "Atlantic Standard Time"),
    ("Caracas", "Venezuela Standard Time"),
    ("Cuiaba", "Central Brazilian Standard Time"),
    ("Georgetown, La Paz, Manaus, San Juan", "SA Western Standard Time"),
    ("Santiago", "Pacific SA Standard Time"),
    ("Newfoundland", "Newfoundland Standard Time"),
    ("Araguaina", "Tocantins Standard Time"),
    ("Brasilia", "E. South America Standard Time"),
    ("Cayenne, Fortaleza", "SA Eastern Standard Time"),
    ("City of Buenos Aires", "Argentina Standard Time"),
    ("Buenos Aires", "Argentina Standard Time"),
    ("Greenland", "Greenland Standard Time"),
    ("Montevideo", "Montevideo Standard Time"),
    ("Punta Arenas", "Magallanes Standard Time"),
    ("Saint Pierre and Miquelon", "Saint Pierre Standard Time"),
    ("Salvador", "Bahia Standard Time"),
    ("Azores", "Azores Standard Time"),
    ("Cabo Verde Is.", "Cape Verde Standard Time"),
    ("Cape Verde Is.", "Cape Verde Standard Time"),
    ("Coordinated Universal Time", "UTC"),
    ("Dublin, Edinburgh, Lisbon, London", "GMT Standard Time"),
    ("Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London", "GMT Standard Time"),
    ("Greenwich Mean Time: Dublin, Edinburgh, Lisbon, London", "GMT Standard Time"),
    ("Monrovia, Reykjavik", "Greenwich Standard Time"),
    ("Sao Tome", "Sao Tome Standard Time"),
    ("Casablanca", "Morocco Standard Time"),
    ("Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "W. Europe Standard Time"),
    ("Belgrade, Bratislava, Budapest, Ljubljana, Prague", "Central Europe Standard Time"),
    ("Brussels, Copenhagen, Madrid, Paris", "Romance Standard Time"),
    ("Sarajevo, Skopje, Warsaw, Zagreb", "Central European Standard Time"),
    ("West Central Africa", "W. Central Africa Standard Time"),
    ("Amman", "Jordan Standard Time"),
    ("Athens, Bucharest", "GTB Standard Time"),
    ("Athens, Bucharest, Istanbul", "GTB Standard Time"),
    ("Beirut", "Middle East Standard Time"),
    ("Cairo", "Egypt Standard Time"),
    ("Chisinau", "E. Europe Standard Time"),
    ("Damascus", "Syria Standard Time"),
    ("Gaza, Hebron", "West Bank Standard Time"),
    ("Harare, Pretoria", "South Africa Standard Time"),
    ("Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius", "FLE Standard Time"),
    ("Jerusalem", "Israel Standard Time"),
    ("Juba", "South Sudan Standard Time"),
    ("Kaliningrad", "Kaliningrad Standard Time"),
    ("Khartoum", "Sudan Standard Time"),
    ("Tripoli", "Libya Standard Time"),
    ("Windhoek", "Namibia Standard Time"),
    ("Baghdad", "Arabic Standard Time"),
    ("Istanbul", "Turkey Standard Time"),
    ("Kuwait, Riyadh", "Arab Standard Time"),
    ("Minsk", "Belarus Standard Time"),
    ("Moscow, St. Petersburg", "Russian Standard Time"),
    ("Moscow, St. Petersburg, Volgograd", "Russian Standard Time"),
    ("Nairobi", "E. Africa Standard Time"),
    ("Volgograd", "Volgograd Standard Time"),
    ("Tehran", "Iran Standard Time"),
    ("Abu Dhabi, Muscat", "Arabian Standard Time"),
    ("Astrakhan, Ulyanovsk", "Astrakhan Standard Time"),
    ("Baku", "Azerbaijan Standard Time"),
    ("Izhevsk, Samara", "Russia Time Zone 3"),
    ("Port Louis", "Mauritius Standard Time"),
    ("Saratov", "Saratov Standard Time"),
    ("Tbilisi", "Georgian Standard Time"),
    ("Yerevan", "Caucasus Standard Time"),
    ("Kabul", "Afghanistan Standard Time"),
    ("Ashgabat, Tashkent", "West Asia Standard Time"),
    ("Ekaterinburg", "Ekaterinburg Standard Time"),
    ("Islamabad, Karachi", "Pakistan Standard Time"),
    ("Qyzylorda", "Qyzylorda Standard Time"),
    ("Chennai, Kolkata, Mumbai, New Delhi", "India Standard Time"),
    ("Sri Jayawardenepura", "Sri Lanka Standard Time"),
    ("Kathmandu", "Nepal Standard Time"),
    ("Astana", "Central Asia Standard Time"),
    ("Dhaka", "Bangladesh Standard Time"),
    ("Omsk", "Omsk Standard Time"),
    ("Yangon (Rangoon)", "Myanmar Standard Time"),
    ("Bangkok, Hanoi, Jakarta", "SE Asia Standard Time"),
    ("Barnaul, Gorno-Altaysk", "Altai Standard Time"),
    ("Hovd", "W. Mongolia Standard Time"),
    ("Krasnoyarsk", "North Asia Standard Time"),
    ("Novosibirsk", "N. Central Asia Standard Time"),
    ("Tomsk", "Tomsk Standard Time"),
    ("Beijing, Chongqing, Hong Kong, Urumqi", "China Standard Time"),
    ("Irkutsk", "North Asia East Standard Time"),
    ("Kuala Lumpur, Singapore", "Singapore Standard Time"),
    ("Perth", "W. Australia Standard Time"),
    ("Taipei", "Taipei Standard Time"),
    ("Ulaanbaatar", "Ulaanbaatar Standard Time"),
    ("Eucla", "Aus Central W. Standard Time"),
    ("Chita", "Transbaikal Standard Time"),
    ("Osaka, Sapporo, Tokyo", "Tokyo Standard Time"),
    ("Pyongyang", "North Korea Standard Time"),
    ("Seoul", "Korea Standard Time"),
    ("Yakutsk", "Yakutsk Standard Time"),
    ("Adelaide", "Cen. Australia Standard Time"),
    ("Darwin", "AUS Central Standard Time"),
    ("Brisbane", "E. Australia Standard Time"),
    ("Canberra, Melbourne, Sydney", "AUS Eastern Standard Time"),
    ("Guam, Port Moresby", "West Pacific Standard Time"),
    ("Hobart", "Tasmania Standard Time"),
    ("Vladivostok", "Vladivostok Standard Time"),
    ("Lord Howe Island", "Lord Howe Standard Time"),
    ("Bougainville Island", "Bougainville Standard Time"),
    ("Chokurdakh", "Russia Time Zone 10"),
    ("Magadan", "Magadan Standard Time"),
    ("Norfolk Island", "Norfolk Standard Time"),
    ("Sakhalin", "Sakhalin Standard Time"),
    ("Solomon Is., New Caledonia", "Central Pacific Standard Time"),
    ("Anadyr, Petropavlovsk-Kamchatsky", "Russia Time Zone 11"),
    ("Auckland, Wellington", "New Zealand Standard Time"),
    ("Fiji", "Fiji Standard Time"),
    ("Chatham Islands", "Chatham Islands Standard Time"),
    ("Nuku'alofa", "Tonga Standard Time"),
    ("Samoa", "Samoa Standard Time"),
    ("Kiritimati Island", "Line Islands Standard Time"),
];
