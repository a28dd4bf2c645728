//! Texts of the desk, in each language.

use domain::{
    Kind, Language, Role, Status,
    duplicate::{DuplicateReason, DuplicateState},
    source::SourceState,
};

/// A text in each language: Arabic, English, French.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word(&'static str, &'static str, &'static str);

impl Word {
    /// The text in a language.
    pub(crate) const fn text(self, language: Language) -> &'static str {
        match language {
            Language::Arabic => self.0,
            Language::English => self.1,
            Language::French => self.2,
        }
    }

    /// The name of a role.
    pub(crate) const fn of_role(role: Role) -> Self {
        match role {
            Role::Subscriber => Self("مشترك", "subscriber", "abonné"),
            Role::Contributor => Self("مساهم", "contributor", "contributeur"),
            Role::Author => Self("كاتب", "author", "auteur"),
            Role::Editor => Self("محرر", "editor", "éditeur"),
            Role::Administrator => Self("مدير", "administrator", "administrateur"),
        }
    }

    /// The state of a source.
    pub(crate) const fn of_source_state(state: SourceState) -> Self {
        match state {
            SourceState::Ok => Self("سليم", "in order", "en ordre"),
            SourceState::Failing => Self("يفشل", "failing", "en échec"),
            SourceState::Paused => Self("متوقف مؤقتًا", "paused", "en pause"),
        }
    }

    /// A kind of record whose duplicates are found.
    pub(crate) const fn of_kind(kind: Kind) -> Self {
        match kind {
            Kind::Event => Self("فعالية", "event", "événement"),
            Kind::Venue => Self("مكان", "venue", "lieu"),
            Kind::Organizer => Self("جهة منظمة", "organizer", "organisateur"),
            Kind::Category => Self("تصنيف", "category", "catégorie"),
            Kind::Tag => Self("وسم", "tag", "étiquette"),
        }
    }

    /// The state of a pair of records that look alike.
    pub(crate) const fn of_duplicate_state(state: DuplicateState) -> Self {
        match state {
            DuplicateState::Open => Self("لم يُبت فيها", "open", "à décider"),
            DuplicateState::Merged => Self("دُمجت", "merged", "fusionnés"),
            DuplicateState::Dismissed => Self("مختلفة", "two things", "distincts"),
        }
    }

    /// A reason why two records look alike.
    pub(crate) const fn of_duplicate_reason(reason: DuplicateReason) -> Self {
        match reason {
            DuplicateReason::Title => Self("الاسم نفسه", "same title", "même titre"),
            DuplicateReason::TitleOrder => Self(
                "الكلمات نفسها بترتيب آخر",
                "same words in another order",
                "mêmes mots dans un autre ordre",
            ),
            DuplicateReason::TitleSpelling => {
                Self("خطأ إملائي", "a typing error", "une faute de frappe")
            }
            DuplicateReason::TitlePart => Self("اسم مختصر", "a shortened title", "un titre abrégé"),
            DuplicateReason::Time => Self("الوقت نفسه", "same time", "même heure"),
            DuplicateReason::Start => Self("البداية نفسها", "same start", "même début"),
            DuplicateReason::Day => Self("اليوم نفسه", "same day", "même jour"),
            DuplicateReason::Overlap => Self("أيام مشتركة", "days that overlap", "jours communs"),
            DuplicateReason::Venue => Self("المكان نفسه", "same venue", "même lieu"),
            DuplicateReason::Position => Self("موقع قريب", "close positions", "positions voisines"),
            DuplicateReason::Address => Self("العنوان نفسه", "same address", "même adresse"),
            DuplicateReason::City => Self("المدينة نفسها", "same city", "même ville"),
            DuplicateReason::Website => Self("الموقع نفسه", "same web site", "même site web"),
            DuplicateReason::Email => {
                Self("البريد نفسه", "same e-mail address", "même adresse e-mail")
            }
            DuplicateReason::Phone => Self("الهاتف نفسه", "same telephone", "même téléphone"),
        }
    }

    /// The name of a status.
    pub(crate) const fn of_status(status: Status) -> Self {
        match status {
            Status::Publish => Self("منشور", "published", "publié"),
            Status::Future => Self("مجدول", "scheduled", "programmé"),
            Status::Draft => Self("مسودة", "draft", "brouillon"),
            Status::Pending => Self(
                "في انتظار المراجعة",
                "pending review",
                "en attente de relecture",
            ),
            Status::Private => Self("خاص", "private", "privé"),
            Status::Trash => Self("في المهملات", "in the trash", "à la corbeille"),
        }
    }
}

/// Declares texts by their names.
macro_rules! words {
    ($($name:ident: $arabic:literal, $english:literal, $french:literal;)*) => {
        impl Word {
            $(pub(crate) const $name: Self = Self($arabic, $english, $french);)*
        }

        /// All texts, for the test that each has all languages.
        #[cfg(test)]
        static ALL: &[Word] = &[$(Word::$name),*];
    };
}

words! {
    CALENDAR: "تقويم الفعاليات", "Events calendar", "Agenda";
    DESK: "المكتب", "Desk", "Bureau";
    SKIP: "انتقل إلى المحتوى", "Skip to the content", "Aller au contenu";
    LISTS: "القوائم", "Lists", "Listes";

    SIGN_IN: "تسجيل الدخول", "Sign in", "Se connecter";
    SIGN_OUT: "تسجيل الخروج", "Sign out", "Se déconnecter";
    NAME_OR_EMAIL: "الاسم أو البريد الإلكتروني", "Name or e-mail address", "Nom ou adresse e-mail";
    PASSWORD: "كلمة المرور", "Password", "Mot de passe";
    PASSWORD_AGAIN: "كلمة المرور مرة أخرى", "The password again", "Le mot de passe, encore une fois";
    PRESENT_PASSWORD: "كلمة المرور الحالية", "Present password", "Mot de passe actuel";
    NEW_PASSWORD: "كلمة مرور جديدة", "New password", "Nouveau mot de passe";
    PASSWORD_RULE: "من 8 إلى 128 حرفًا. جملة طويلة أفضل من كلمة صعبة.", "8 to 128 characters. A long sentence is better than a difficult word.", "8 à 128 caractères. Une longue phrase vaut mieux qu’un mot compliqué.";
    CHOOSE_PASSWORD: "اختيار كلمة المرور", "Choose a password", "Choisir un mot de passe";
    SAVE_PASSWORD: "حفظ كلمة المرور", "Save the password", "Enregistrer le mot de passe";
    YOUR_NAME_IS: "اسم المستخدم:", "Your user name:", "Votre nom d’utilisateur :";
    WRONG_SIGN_IN: "لا يوجد مستخدم بهذا الاسم وكلمة المرور هذه.", "No user has this name and this password.", "Aucun utilisateur n’a ce nom et ce mot de passe.";
    WRONG_PASSWORD: "كلمة المرور الحالية غير صحيحة.", "The present password is wrong.", "Le mot de passe actuel est incorrect.";
    PASSWORDS_DIFFER: "كلمتا المرور مختلفتان.", "The two passwords differ.", "Les deux mots de passe diffèrent.";
    PASSWORD_TOO_SHORT: "كلمة المرور أقصر من 8 أحرف.", "The password has fewer than 8 characters.", "Le mot de passe a moins de 8 caractères.";
    PASSWORD_TOO_LONG: "كلمة المرور أطول من 128 حرفًا.", "The password has more than 128 characters.", "Le mot de passe a plus de 128 caractères.";
    PASSWORD_COMMON: "كلمة المرور هذه شائعة جدًا ويسهل تخمينها.", "This password is very common and easily guessed.", "Ce mot de passe est très courant et facile à deviner.";
    PASSWORD_CHANGED: "تم تغيير كلمة المرور. انتهت الجلسات الأخرى.", "The password is changed. Other sessions have ended.", "Le mot de passe est changé. Les autres sessions sont terminées.";
    CHANGE_PASSWORD: "تغيير كلمة المرور", "Change the password", "Changer le mot de passe";
    VOID_INVITATION: "هذه الدعوة لم تعد صالحة.", "This invitation is no longer valid", "Cette invitation n’est plus valable";
    ASK_AN_ADMINISTRATOR: "اطلب من مدير الموقع دعوة جديدة.", "Ask an administrator of the calendar.", "Adressez-vous à un administrateur de l’agenda.";
    NO_DESK: "لا يوجد مكتب لحسابك", "Your account has no desk", "Votre compte n’a pas de bureau";
    TOO_MANY_TRIES: "محاولات كثيرة جدًا", "Too many tries", "Trop d’essais";
    TRY_AGAIN: "حاول مرة أخرى بعد قليل.", "Try again in a moment.", "Réessayez dans un instant.";
    UNAVAILABLE: "الخدمة مشغولة", "The service is busy", "Le service est occupé";
    NOT_SENT_FROM_HERE: "لم يُرسل النموذج من هذا الموقع", "The form was not sent from this site", "Le formulaire ne vient pas de ce site";
    OPEN_AGAIN: "افتح الصفحة مرة أخرى وأعد الإرسال.", "Open the page again, and send the form from there.", "Ouvrez la page à nouveau et envoyez le formulaire depuis celle-ci.";
    UNREADABLE_FORM: "لا يمكن قراءة النموذج", "The form cannot be read", "Le formulaire est illisible";
    NOT_FOUND: "غير موجود", "Not found", "Introuvable";
    NO_SUCH_EVENT: "لا توجد فعالية هنا، أو لا يحق لك تعديلها.", "There is no event here, or you may not change it.", "Il n’y a pas d’événement ici, ou vous ne pouvez pas le modifier.";
    FORBIDDEN: "غير مسموح", "Not allowed", "Non autorisé";

    ACCOUNT: "حسابك", "Your account", "Votre compte";
    ROLE: "الدور", "Role", "Rôle";
    LANGUAGE: "لغة المكتب", "Language of the desk", "Langue du bureau";
    CHOOSE: "اختيار", "Choose", "Choisir";
    SESSIONS: "الجلسات", "Sessions", "Sessions";
    SINCE: "منذ", "Since", "Depuis";
    BROWSER: "المتصفح", "Browser", "Navigateur";
    THIS_SESSION: "هذه الجلسة", "this session", "cette session";
    END: "إنهاء", "End", "Terminer";
    END_OTHERS: "إنهاء كل الجلسات الأخرى", "End all other sessions", "Terminer toutes les autres sessions";

    SECOND_FACTOR: "العامل الثاني", "Second factor", "Second facteur";
    CODE: "الرمز", "Code", "Code";
    CODE_HINT: "الرمز الذي يعرضه تطبيق المصادقة، أو رمز استرداد.", "The code that your authenticator shows, or a recovery code.", "Le code qu’affiche votre application d’authentification, ou un code de secours.";
    WRONG_CODE: "هذا الرمز غير صحيح أو استُعمل من قبل.", "This code is wrong, or was used before.", "Ce code est incorrect, ou a déjà servi.";
    WRONG_PASSWORD_OR_CODE: "كلمة المرور أو الرمز غير صحيح.", "The password or the code is wrong.", "Le mot de passe ou le code est incorrect.";
    NO_SECOND_FACTOR: "تسجيل الدخول يطلب كلمة المرور وحدها. تطبيق المصادقة على هاتفك يحمي الحساب ممن يعرف كلمة المرور.", "Signing in asks for the password alone. An authenticator on your telephone protects the account from people who know the password.", "La connexion demande le mot de passe seul. Une application d’authentification sur votre téléphone protège le compte de qui connaît le mot de passe.";
    HAS_SECOND_FACTOR: "تسجيل الدخول يطلب كلمة المرور ورمزًا من تطبيق المصادقة.", "Signing in asks for the password and a code of your authenticator.", "La connexion demande le mot de passe et un code de votre application d’authentification.";
    ADD_AUTHENTICATOR: "إضافة تطبيق مصادقة", "Add an authenticator", "Ajouter une application d’authentification";
    ADD_AUTHENTICATOR_HINT: "أدخل هذا السر في تطبيق المصادقة، ثم اكتب الرمز الذي يعرضه.", "Enter this secret into your authenticator, and then type the code that it shows.", "Saisissez ce secret dans votre application d’authentification, puis tapez le code qu’elle affiche.";
    SECRET: "السر", "Secret", "Secret";
    OPEN_AUTHENTICATOR: "فتح تطبيق المصادقة على هذا الجهاز", "Open the authenticator on this device", "Ouvrir l’application d’authentification de cet appareil";
    END_SECOND_FACTOR: "إزالة العامل الثاني", "Remove the second factor", "Retirer le second facteur";
    RECOVERY_CODES: "رموز الاسترداد", "Recovery codes", "Codes de secours";
    RECOVERY_HINT: "كل رمز يحل محل تطبيق المصادقة مرة واحدة. تُعرض الآن فقط: احفظها في مكان آمن.", "Each code takes the place of the authenticator once. They are shown only now: keep them in a safe place.", "Chaque code remplace une fois l’application d’authentification. Ils ne sont affichés que maintenant : gardez-les en lieu sûr.";

    MY_EVENTS: "فعالياتي", "My events", "Mes événements";
    ALL_EVENTS: "كل الفعاليات", "All events", "Tous les événements";
    DRAFTS: "المسودات", "Drafts", "Brouillons";
    PENDING: "في انتظار المراجعة", "Pending", "En attente";
    SCHEDULED: "المجدولة", "Scheduled", "Programmés";
    TRASH: "المهملات", "Trash", "Corbeille";
    NEW_EVENT: "فعالية جديدة", "New event", "Nouvel événement";
    SEARCH: "بحث", "Search", "Rechercher";
    FILTERS: "مرشّحات", "Filters", "Filtres";
    ANY: "الكل", "any", "tous";
    WITHOUT_FILTERS: "بلا مرشّحات", "Without filters", "Sans filtres";
    FREE: "مجانًا", "free of charge", "gratuit";
    NOT_FREE: "غير مجاني", "not free of charge", "pas gratuit";
    WITH_TICKETS: "بتذاكر", "with tickets", "avec billets";
    WITHOUT_TICKETS: "بلا تذاكر", "without tickets", "sans billets";
    FROM_DAY: "من", "From", "Du";
    UNTIL_DAY: "حتى", "Until", "Au";
    NOTHING: "لا شيء هنا.", "Nothing is here.", "Rien ici.";
    TITLE: "العنوان", "Title", "Titre";
    WHEN: "متى", "When", "Quand";
    STATUS: "الحالة", "Status", "État";
    AUTHOR: "الكاتب", "Author", "Auteur";
    SELECT: "تحديد", "Select", "Sélectionner";
    VIEW: "عرض", "View", "Voir";
    REPEATS: "متكررة", "repeats", "se répète";
    WITH_THE_SELECTED: "للمحدد:", "With the selected events:", "Pour la sélection :";
    PUBLISH: "نشر", "Publish", "Publier";
    TO_DRAFT: "إعادة إلى مسودة", "Make a draft", "Mettre en brouillon";
    TO_TRASH: "نقل إلى المهملات", "Move to the trash", "Mettre à la corbeille";
    RESTORE: "استعادة كمسودة", "Restore as a draft", "Restaurer en brouillon";
    DELETE: "حذف نهائي", "Delete for good", "Supprimer définitivement";
    CONFIRM: "نعم، نفّذ", "Yes, do it", "Oui, le faire";
    CANCEL: "إلغاء", "Cancel", "Annuler";
    REALLY: "هل أنت متأكد؟", "Are you sure?", "En êtes-vous sûr ?";
    DELETED_FOR_GOOD: "لا يمكن التراجع عن الحذف النهائي.", "A deletion for good cannot be undone.", "Une suppression définitive ne peut pas être annulée.";
    DONE: "تم التنفيذ:", "Done:", "Fait :";
    NOT_DONE: "لم يُنفذ:", "Not done:", "Non fait :";
    UNDO: "تراجع", "Undo", "Annuler l’action";
    PAGES: "الصفحات", "Pages", "Pages";
    NEXT: "التالي", "Next", "Suivant";
    PREVIOUS: "السابق", "Previous", "Précédent";

    RETURN: "إعادة مع ملاحظة", "Return with a remark", "Renvoyer avec une remarque";
    RETURNED: "أُعيدت", "returned", "renvoyé";
    RETURNED_TO_YOU: "أعادها محرر إلى المسودات مع هذه الملاحظة:", "An editor returned this event as a draft, with this remark:", "Un éditeur a renvoyé cet événement en brouillon, avec cette remarque :";
    REMARK: "ملاحظة للكاتب", "Remark for the author", "Remarque pour l’auteur";
    REMARK_HINT: "نص عادي، حتى 2000 حرف. يراها الكاتب حتى يرسل الفعالية مرة أخرى.", "Plain text, at most 2,000 characters. The author sees it until the event is sent again.", "Du texte, 2 000 caractères au plus. L’auteur la voit jusqu’au prochain envoi de l’événement.";
    REMARK_MISSING: "اكتب ملاحظة للكاتب.", "Write a remark for the author.", "Écrivez une remarque pour l’auteur.";
    REMARK_TOO_LONG: "الملاحظة أطول من 2000 حرف.", "The remark has more than 2,000 characters.", "La remarque a plus de 2 000 caractères.";
    REVIEW: "المراجعة", "Review", "Relecture";
    STILL_RIGHT_LIST: "هل ما زالت صحيحة؟", "Still right?", "Toujours exact ?";
    STILL_RIGHT: "ما زالت صحيحة", "Still right", "Toujours exact";
    STILL_RIGHT_HINT: "فعاليات قريبة لم يغيّرها أو يؤكدها أحد منذ 90 يومًا. افتح ما تغيّر، وأكّد الباقي.", "Events of the coming 90 days that nobody changed or confirmed for 90 days. Open those that changed, and confirm the others.", "Des événements des 90 prochains jours que personne n’a modifiés ni confirmés depuis 90 jours. Ouvrez ceux qui ont changé, confirmez les autres.";
    PROPOSE: "اقترح فعالية", "Propose an event", "Proposer un événement";
    PROPOSE_HINT: "يقرأ محرر كل اقتراح قبل نشره.", "An editor reads each proposal before it is published.", "Un éditeur lit chaque proposition avant sa publication.";
    PLAIN_TEXT_HINT: "نص عادي، حتى 5000 حرف.", "Plain text, at most 5,000 characters.", "Du texte, 5 000 caractères au plus.";
    PROPOSER_NAME: "اسمك", "Your name", "Votre nom";
    PROPOSER_EMAIL: "بريدك الإلكتروني", "Your e-mail address", "Votre adresse e-mail";
    PROPOSER_HINT: "اختياريان، ويراهما المحررون فقط.", "Both are optional, and shown to editors alone.", "Facultatifs, et montrés aux seuls éditeurs.";
    PROPOSAL_TRAP: "اترك هذا الحقل فارغًا.", "Leave this field empty.", "Laissez ce champ vide.";
    PROPOSAL_TOO_LONG: "الوصف أطول من 5000 حرف.", "The description has more than 5,000 characters.", "La description a plus de 5 000 caractères.";
    SEND_PROPOSAL: "إرسال الاقتراح", "Send the proposal", "Envoyer la proposition";
    NO_PROPOSALS: "لا تُقبل اقتراحات هنا.", "No proposals are taken here.", "Aucune proposition n’est prise ici.";
    TOO_MANY_PROPOSALS: "اقتراحات كثيرة جدًا", "Too many proposals", "Trop de propositions";
    PROPOSE_IN_AN_HOUR: "لم يُحفظ شيء. حاول مرة أخرى بعد ساعة.", "Nothing was saved. Try again in an hour.", "Rien n’est enregistré. Réessayez dans une heure.";
    PROPOSE_TOMORROW: "لم يُحفظ شيء. حاول مرة أخرى غدًا.", "Nothing was saved. Try again tomorrow.", "Rien n’est enregistré. Réessayez demain.";
    YOUR_PROPOSAL: "اقتراحك", "Your proposal", "Votre proposition";
    NO_PROPOSAL: "لا يوجد اقتراح هنا، أو لم يعد الرابط صالحًا.", "There is no proposal here, or the link is no longer valid.", "Il n’y a pas de proposition ici, ou le lien n’est plus valable.";
    PROPOSAL_SENT: "تم إرسال اقتراحك. احفظ هذا الرابط الصالح 30 يومًا: به تعود إلى الاقتراح أو تسحبه.", "Your proposal is sent. Keep this address, which is valid for 30 days: by it you come back to the proposal, or withdraw it.", "Votre proposition est envoyée. Gardez cette adresse, valable 30 jours : elle vous permet de la revoir ou de la retirer.";
    PROPOSAL_WAITS: "ينتظر محررًا.", "It waits for an editor.", "Elle attend un éditeur.";
    PROPOSAL_PUBLISHED: "نُشر.", "It is published.", "Elle est publiée.";
    PROPOSAL_DECLINED: "رُفض أو سُحب.", "It was declined or withdrawn.", "Elle a été refusée ou retirée.";
    WITHDRAW: "سحب الاقتراح", "Withdraw the proposal", "Retirer la proposition";
    PROPOSED_BY: "اقتراح زائر:", "Proposed by a visitor:", "Proposé par un visiteur :";

    EDIT_EVENT: "تعديل الفعالية", "Edit the event", "Modifier l’événement";
    SAVE: "حفظ", "Save", "Enregistrer";
    SAVED: "تم الحفظ.", "Saved.", "Enregistré.";
    STARTS: "تبدأ", "Starts", "Début";
    ENDS: "تنتهي", "Ends", "Fin";
    ALL_DAY: "طوال اليوم", "All day", "Toute la journée";
    TIME_ZONE: "المنطقة الزمنية", "Time zone", "Fuseau horaire";
    REPETITION: "التكرار", "Repetition", "Répétition";
    RULE: "قاعدة (RFC 5545)", "Rule (RFC 5545)", "Règle (RFC 5545)";
    RULE_HINT: "لقاعدة أخرى فقط. مثال: FREQ=MONTHLY;BYMONTHDAY=1,15.", "For another rule alone. For example FREQ=MONTHLY;BYMONTHDAY=1,15.", "Pour une autre règle seulement. Par exemple FREQ=MONTHLY;BYMONTHDAY=1,15.";
    VENUE: "المكان", "Venue", "Lieu";
    VENUE_HINT: "اكتب اسم مكان موجود أو جديد.", "The name of a venue; a new name makes a new venue.", "Le nom d’un lieu ; un nouveau nom crée un lieu.";
    ORGANIZERS: "الجهات المنظمة", "Organizers", "Organisateurs";
    ORGANIZERS_HINT: "اسم في كل سطر؛ الاسم الجديد ينشئ جهة جديدة.", "One name a line; a new name makes a new organizer.", "Un nom par ligne ; un nouveau nom crée un organisateur.";
    CATEGORIES: "التصنيفات", "Categories", "Catégories";
    TAGS: "الوسوم", "Tags", "Étiquettes";
    TAGS_HINT: "تفصل بينها فواصل.", "Separated by commas.", "Séparées par des virgules.";
    DESCRIPTION: "الوصف", "Description", "Description";
    EXCERPT: "ملخص", "Summary", "Résumé";
    HTML_HINT: "نص أو HTML بسيط: فقرات وقوائم وروابط.", "Text, or simple HTML: paragraphs, lists, links.", "Du texte, ou du HTML simple : paragraphes, listes, liens.";
    EDITOR_TOOLBAR: "التنسيق", "Format", "Mise en forme";
    EDITOR_BOLD: "غامق", "Bold", "Gras";
    EDITOR_ITALIC: "مائل", "Italic", "Italique";
    EDITOR_LINK: "رابط", "Link", "Lien";
    EDITOR_HEADING: "عنوان، H2", "Heading, H2", "Titre, H2";
    EDITOR_SUBHEADING: "عنوان فرعي، H3", "Subheading, H3", "Sous-titre, H3";
    EDITOR_BULLETS: "قائمة بنقاط", "Bulleted list", "Liste à puces";
    EDITOR_NUMBERS: "قائمة مرقمة", "Numbered list", "Liste numérotée";
    EDITOR_QUOTATION: "اقتباس", "Quotation", "Citation";
    EDITOR_UNDO: "تراجع", "Undo", "Annuler";
    EDITOR_REDO: "إعادة", "Redo", "Rétablir";
    EDITOR_HTML: "عرض HTML", "Show the HTML", "Afficher le HTML";
    EDITOR_KEPT: "في هذا النص أجزاء لا يعرفها المحرر. يبقى كما هو بصيغة HTML.", "This text has parts that the editor does not know. It stays as it is, as HTML.", "Ce texte a des parties que l’éditeur ne connaît pas. Il reste tel quel, en HTML.";
    EDITOR_ADDRESS: "عنوان الرابط", "Address of the link", "Adresse du lien";
    COST: "التكلفة", "Cost", "Tarif";
    COST_HINT: "مثال: 5 أو 10-20. الصفر: مجانًا.", "For example 5 or 10-20. 0: free.", "Par exemple 5 ou 10-20. 0 : gratuit.";
    CURRENCY: "العملة", "Currency", "Devise";
    TICKETS: "التذاكر", "Tickets", "Billets";
    TICKETS_HINT: "صف فارغ واحد متاح دائمًا لتذكرة أخرى بعد الحفظ.", "One row is always empty. Save to add another ticket.", "Une ligne est toujours vide. Enregistrez pour ajouter un autre billet.";
    TICKET: "التذكرة", "Ticket", "Billet";
    TICKET_NAME: "اسم التذكرة", "Name of the ticket", "Nom du billet";
    PRICE: "السعر", "Price", "Prix";
    TICKET_SHOP: "عنوان صفحة البيع", "Address of the shop", "Adresse de la vente";
    ON_SALE_FROM: "تباع من", "On sale from", "En vente à partir de";
    ON_SALE_UNTIL: "تباع حتى", "On sale until", "En vente jusqu’à";
    REMOVE_TICKET: "إزالة هذه التذكرة", "Remove this ticket", "Retirer ce billet";
    PART_OF: "جزء من", "Part of", "Fait partie de";
    PART_OF_HINT: "مهرجان أو سلسلة محاضرات: اختر فعالية، أو اكتب رقمها، مثل ‎#12‎.", "A festival or another larger event: choose it, or type its number, such as #12.", "Un festival ou un autre événement plus grand : choisissez-le, ou saisissez son numéro, comme #12.";
    WEBSITE: "الموقع الإلكتروني", "Website", "Site web";
    PICTURE: "الصورة", "Picture", "Image";
    REMOVE_PICTURE: "إزالة الصورة", "Remove the picture", "Retirer l’image";
    PICTURE_KEPT: "هذه الصورة محفوظة في مكتبة صورك، وتبقى فيها حتى إن لم يُحفظ النموذج.", "This picture is in your library already, and stays there if the form is not saved.", "Cette image est déjà dans votre bibliothèque, et y reste si le formulaire n’est pas enregistré.";
    DROP_PICTURE: "عدم استعمال هذه الصورة", "Do not use this picture", "Ne pas utiliser cette image";
    PICTURE_HINT: "PNG أو JPEG أو GIF أو WebP، حتى 10 ميبيبايت.", "PNG, JPEG, GIF or WebP, at most 10 MiB.", "PNG, JPEG, GIF ou WebP, 10 Mio au plus.";
    ALTERNATIVE_TEXT: "وصف الصورة لمن لا يراها", "Description of the picture for people who do not see it", "Description de l’image pour qui ne la voit pas";
    OPTIONS: "خيارات", "Options", "Options";
    FEATURED: "مميزة", "Featured", "À la une";
    STICKY: "الأولى في يومها", "First in its day", "En tête de sa journée";
    HIDDEN: "مخفية من القوائم", "Hidden from lists", "Masqué des listes";
    CANCELLED: "ملغاة", "Cancelled", "Annulé";
    SLUG: "الاسم في العنوان", "Name in the address", "Nom dans l’adresse";
    EVENT_PASSWORD: "كلمة مرور الفعالية", "Password of the event", "Mot de passe de l’événement";
    EVENT_PASSWORD_HINT: "اتركها فارغة لتبقى كما هي.", "Empty: it stays as it is.", "Vide : il reste inchangé.";
    REMOVE_PASSWORD: "إزالة كلمة المرور", "Remove the password", "Retirer le mot de passe";
    FAULTS: "لم يُحفظ شيء. صحّح هذه الحقول:", "Nothing was saved. Mend these fields:", "Rien n’est enregistré. Corrigez ces champs :";
    MISSING: "هذا الحقل مطلوب.", "This field is needed.", "Ce champ est obligatoire.";
    CONFLICT: "غيّر شخص آخر هذه الفعالية في هذه الأثناء. ما كتبته هنا، والمحفوظ في الأسفل. الحفظ الآن يستبدله.", "Somebody else changed this event meanwhile. Your version is in the form; the stored one is below. Saving now replaces it.", "Quelqu’un d’autre a modifié cet événement entre-temps. Votre version est dans le formulaire ; celle enregistrée est plus bas. Enregistrer maintenant la remplace.";
    STORED_VERSION: "النسخة المحفوظة", "The stored version", "La version enregistrée";
    SCOPE: "ما الذي يتغير", "This change applies to", "Cette modification concerne";
    SCOPE_ONE: "هذا الموعد فقط", "this date alone", "cette date seulement";
    SCOPE_FOLLOWING: "هذا الموعد وما بعده", "this date and all later ones", "cette date et les suivantes";
    SCOPE_ALL: "كل المواعيد", "all dates", "toutes les dates";

    REPEATS_HOW: "يتكرر", "Repeats", "Se répète";
    REPEATS_NEVER: "لا يتكرر", "never", "jamais";
    REPEATS_DAILY: "كل يوم", "every day", "chaque jour";
    REPEATS_WEEKLY: "كل أسبوع", "every week", "chaque semaine";
    REPEATS_MONTHLY: "كل شهر في التاريخ نفسه", "every month on this date", "chaque mois à cette date";
    REPEATS_ON_WEEKDAY: "كل شهر في يوم الأسبوع نفسه (مثل ثاني ثلاثاء)", "every month on this weekday (such as the second Tuesday)", "chaque mois ce jour de la semaine (par exemple le deuxième mardi)";
    REPEATS_ON_LAST_WEEKDAY: "كل شهر في آخر يوم مثله (مثل آخر ثلاثاء)", "every month on the last such weekday (such as the last Tuesday)", "chaque mois le dernier de ces jours (par exemple le dernier mardi)";
    REPEATS_YEARLY: "كل سنة", "every year", "chaque année";
    REPEATS_OTHER: "قاعدة أخرى (RFC 5545)", "by another rule (RFC 5545)", "selon une autre règle (RFC 5545)";
    EVERY: "كل كم", "Every how many", "Tous les combien";
    EVERY_HINT: "1: كل مرة. 2: كل أسبوعين مثلًا.", "1: each. 2: every second week, for example.", "1 : à chaque fois. 2 : une semaine sur deux, par exemple.";
    EVERY_IS_NUMBER: "كل كم: اكتب عددًا صحيحًا من 1 إلى 1000.", "Every how many: write a whole number from 1 to 1000.", "Tous les combien : écrivez un nombre entier de 1 à 1000.";
    ON_DAYS: "الأيام، إذا كان كل أسبوع (فارغ: يوم البداية)", "Days, if every week (none: that on which it starts)", "Jours, si chaque semaine (aucun : celui du début)";
    ENDS_WHEN: "ينتهي التكرار", "The repetition ends", "La répétition se termine";
    ENDS_NEVER: "بلا نهاية", "never", "jamais";
    ENDS_UNTIL: "في يوم", "on a day", "un jour donné";
    ENDS_AFTER: "بعد عدد من المرات", "after a number of times", "après un nombre de fois";
    LAST_DAY: "آخر يوم", "Last day", "Dernier jour";
    UNTIL_IS_DATE: "آخر يوم: اختر تاريخًا.", "Last day: choose a date.", "Dernier jour : choisissez une date.";
    UNTIL_AFTER_START: "آخر يوم: لا يسبق البداية.", "Last day: it must not be before the start.", "Dernier jour : il ne doit pas précéder le début.";
    TIMES: "عدد المرات", "Number of times", "Nombre de fois";
    TIMES_IS_NUMBER: "عدد المرات: اكتب عددًا صحيحًا من 1 إلى 5000.", "Number of times: write a whole number from 1 to 5000.", "Nombre de fois : écrivez un nombre entier de 1 à 5000.";
    PREVIEW_DATES: "معاينة المواعيد", "Preview the dates", "Aperçu des dates";
    PREVIEW_PAGE: "معاينة الصفحة", "Preview the page", "Aperçu de la page";
    PREVIEW_NOTE: "معاينة: هكذا يرى الزوار الفعالية عند نشرها. لم يُحفظ شيء بعد.", "Preview: visitors see the event like this once it is published. Nothing is saved yet.", "Aperçu : voici l’événement tel que les visiteurs le verront une fois publié. Rien n’est encore enregistré.";
    BACK_TO_FORM: "العودة إلى النموذج", "Back to the form", "Retour au formulaire";
    NOT_SAVED_YET: "لم يُحفظ شيء بعد.", "Nothing is saved yet.", "Rien n’est encore enregistré.";
    DRAFT_FOUND: "في هذا المتصفح نص لم يُحفظ لهذا النموذج، من", "This browser has text of this form that was not saved, of", "Ce navigateur a un texte de ce formulaire qui n’a pas été enregistré, du";
    DRAFT_RESTORE: "استعادة النص", "Restore it", "Le reprendre";
    DRAFT_DISCARD: "تجاهله", "Discard it", "L’abandonner";
    LANGUAGE_OF_TEXTS: "لغة النصوص", "Language of the texts", "Langue des textes";
    TRANSLATIONS: "الترجمات", "Translations", "Traductions";
    TRANSLATIONS_HINT: "النص الفارغ يظهر بلغته الأصلية.", "A text that is empty is shown in the original.", "Un texte vide est affiché dans l’original.";
    NOT_TRANSLATED: "غير مترجم", "not translated", "non traduit";
    REMOVE_TRANSLATION: "إزالة هذه الترجمة", "Remove this translation", "Retirer cette traduction";
    LOOKS_ALIKE: "لم يُحفظ شيء. توجد فعالية بالعنوان نفسه واليوم نفسه والمكان نفسه. احفظ رغم ذلك، أو عدّل الأخرى:", "Nothing was saved. An event of the same title, day and venue exists. Save it anyway, or change the other one:", "Rien n’est enregistré. Un événement de mêmes titre, jour et lieu existe. Enregistrez quand même, ou modifiez l’autre :";
    SAVE_ANYWAY: "حفظها رغم ذلك", "Save it anyway", "Enregistrer quand même";
    FILL_FROM: "ملء النموذج من ملف أو صفحة", "Fill the form from a file or a page", "Remplir le formulaire à partir d’un fichier ou d’une page";
    A_PAGE: "من صفحة", "From a page", "D’une page";
    PAGE_ADDRESS: "عنوان صفحة فعالية", "Address of the page of an event", "Adresse de la page d’un événement";
    PAGE_ADDRESS_HINT: "صفحة تصف فعالياتها لمحركات البحث (JSON-LD)، حتى 2 ميبيبايت. 10 صفحات في الدقيقة.", "A page that describes its events for search engines (JSON-LD), at most 2 MiB. 10 pages a minute.", "Une page qui décrit ses événements pour les moteurs de recherche (JSON-LD), 2 Mio au plus. 10 pages par minute.";
    PAGE_NOT_READ: "لا يمكن قراءة الصفحة.", "The page cannot be read.", "La page est illisible.";
    A_FILE: "من ملف", "From a file", "D’un fichier";
    CALENDAR_FILE: "ملف تقويم أو رسالة بريد", "Calendar file or message", "Fichier d’agenda ou message";
    CALENDAR_FILE_HINT: ".ics أو .eml، حتى 1 ميبيبايت. تُعرض أول 10 فعاليات.", ".ics or .eml, at most 1 MiB. The first 10 events are shown.", ".ics ou .eml, 1 Mio au plus. Les 10 premiers événements sont affichés.";
    SHOW_EVENTS: "عرض الفعاليات", "Show the events", "Afficher les événements";
    FOUND_EVENTS: "الفعاليات الموجودة", "Events found", "Événements trouvés";
    NOT_SAVED_BUT_SHOWN: "اختر فعالية لملء النموذج. لا يُحفظ شيء قبل ذلك.", "Choose one: it fills the form. Nothing is saved before that.", "Choisissez-en un : il remplit le formulaire. Rien n’est enregistré avant.";
    USE_EVENT: "استخدام", "Use this event", "Utiliser cet événement";
    NO_EVENT_FOUND: "لم تُعثر على فعالية هناك.", "No event was found there.", "Aucun événement n’y a été trouvé.";
    CHOOSE_A_FILE: "اختر ملفًا.", "Choose a file.", "Choisissez un fichier.";
    FILE_TOO_LARGE: "الملف أكبر من 1 ميبيبايت.", "The file has more than 1 MiB.", "Le fichier a plus de 1 Mio.";
    PUBLISHED_ON: "تاريخ النشر", "Date of publication", "Date de publication";
    PUBLISHED_ON_HINT: "تاريخ النشر: فارغ يعني فورًا. تاريخ لاحق مع الحالة «منشور» يُجدول الفعالية.", "Date of publication: empty means at once. A later date schedules an event that is published.", "Date de publication : vide, tout de suite. Une date future programme un événement publié.";
    ALTERNATIVE_TEXT_TOO_LONG: "وصف الصورة: سطر واحد، 500 حرف على الأكثر.", "Description of the picture: one line of at most 500 characters.", "Description de l’image : une ligne de 500 caractères au plus.";
    DATES: "مواعيد السلسلة", "Dates of the series", "Dates de la série";
    THE_SERIES: "السلسلة", "The series", "La série";
    NEXT_DATES: "المواعيد القادمة", "Next dates", "Prochaines dates";
    ALL_DATES: "كل المواعيد واحدًا واحدًا", "All dates, one by one", "Toutes les dates, une à une";
    PAST_DATES: "المواعيد السابقة", "Past dates", "Dates passées";
    CHANGED_DATE: "معدّل", "changed", "modifiée";
    CANCELLED_DATE: "ملغى", "cancelled", "annulée";
    CANCEL_DATE: "إلغاء هذا الموعد", "Cancel this date", "Annuler cette date";
    HOLD_DATE: "إقامته رغم ذلك", "Hold it after all", "La maintenir";
    FOLLOW_SERIES: "كما في السلسلة", "As the series", "Comme la série";
    ACTIONS: "إجراءات", "Actions", "Actions";
    MORE_DATES: "ومواعيد أخرى.", "And more dates.", "Et d’autres dates.";
    COPY_AS_NEW: "نسخ كفعالية جديدة", "Copy as new", "Copier comme nouveau";

    RECORDS: "السجلات", "Records", "Fiches";
    VENUES: "الأماكن", "Venues", "Lieux";
    NEW_VENUE: "مكان جديد", "New venue", "Nouveau lieu";
    EDIT_VENUE: "تعديل المكان", "Edit the venue", "Modifier le lieu";
    NEW_ORGANIZER: "جهة منظمة جديدة", "New organizer", "Nouvel organisateur";
    EDIT_ORGANIZER: "تعديل الجهة المنظمة", "Edit the organizer", "Modifier l’organisateur";
    NAME: "الاسم", "Name", "Nom";
    ADDRESS: "العنوان البريدي", "Street and number", "Rue et numéro";
    ZIP: "الرمز البريدي", "Postal code", "Code postal";
    CITY: "المدينة", "City", "Ville";
    PROVINCE: "المحافظة", "Province", "Province";
    STATE: "الولاية", "State", "État fédéré";
    STATE_PROVINCE: "الولاية أو المحافظة كما تظهر", "State or province, as shown", "État fédéré ou province, comme affiché";
    STATE_PROVINCE_HINT: "اتركها فارغة لتُؤخذ من الحقلين السابقين.", "Empty: made of the two fields before.", "Vide : repris des deux champs précédents.";
    COUNTRY: "البلد", "Country", "Pays";
    PHONE: "الهاتف", "Phone", "Téléphone";
    EMAIL: "البريد الإلكتروني", "E-mail address", "Adresse e-mail";
    LATITUDE: "خط العرض", "Latitude", "Latitude";
    LONGITUDE: "خط الطول", "Longitude", "Longitude";
    POSITION: "الإحداثيات", "Coordinates", "Coordonnées géographiques";
    DEGREES_HINT: "بالدرجات، مثل 45.764. الاثنان معًا، أو فارغان.", "In degrees, such as 45.764. Both of them, or neither.", "En degrés, par exemple 45.764. Les deux, ou aucune.";
    SHOW_MAP: "إظهار خريطة", "Show a map", "Afficher une carte";
    SHOW_MAP_LINK: "إظهار رابط إلى خريطة", "Link to a map", "Lien vers une carte";
    NO_SUCH_RECORD: "لا يوجد سجل هنا، أو لا يحق لك تعديله.", "There is no record here, or you may not change it.", "Il n’y a pas de fiche ici, ou vous ne pouvez pas la modifier.";
    RECORD_CONFLICT: "غيّر شخص آخر هذا السجل في هذه الأثناء. ما كتبته هنا، والمحفوظ في الأسفل. الحفظ الآن يستبدله.", "Somebody else changed this record meanwhile. Your version is in the form; the stored one is below. Saving now replaces it.", "Quelqu’un d’autre a modifié cette fiche entre-temps. Votre version est dans le formulaire ; celle enregistrée est plus bas. Enregistrer maintenant la remplace.";
    EVENTS_WITH_IT: "الفعاليات المرتبطة به، وستبقى من دونه:", "Events that have it, and that stay without it:", "Événements qui l’ont, et qui restent sans :";
    READ_ONLY: "للقراءة فقط", "read only", "lecture seule";
    NEW_CATEGORY: "تصنيف جديد", "New category", "Nouvelle catégorie";
    EDIT_CATEGORY: "تعديل التصنيف", "Edit the category", "Modifier la catégorie";
    NEW_TAG: "وسم جديد", "New tag", "Nouvelle étiquette";
    EDIT_TAG: "تعديل الوسم", "Edit the tag", "Modifier l’étiquette";
    PARENT: "تحت", "Below", "Sous";
    TOP_LEVEL: "لا شيء: في المستوى الأول", "Nothing: on the first level", "Rien : au premier niveau";
    SLUG_HINT: "اتركه فارغًا ليبقى كما هو، أو ليُؤخذ من الاسم.", "Empty: it stays as it is, or is made of the name.", "Vide : il reste inchangé, ou vient du nom.";
    TERM_EXISTS: "يوجد سجل آخر بهذا الاسم هنا.", "Another one has this name here.", "Un autre a déjà ce nom ici.";
    SLUG_TAKEN: "هذا الاسم في العنوان مستعمل.", "This name in the address is taken.", "Ce nom dans l’adresse est déjà pris.";
    NEW_PICTURE: "صورة جديدة", "New picture", "Nouvelle image";
    CROP: "قص الصورة", "Crop", "Recadrer";
    CROP_HINT: "ما يُقص من كل جانب، بالنسبة المئوية. تبقى الصورة الكاملة في المكتبة.", "The part that is cut off each side, in percent. The whole picture stays in the library.", "La part coupée de chaque côté, en pour cent. L’image entière reste dans la bibliothèque.";
    CROP_LEFT: "من اليسار", "Left", "À gauche";
    CROP_TOP: "من الأعلى", "Top", "En haut";
    CROP_RIGHT: "من اليمين", "Right", "À droite";
    CROP_BOTTOM: "من الأسفل", "Bottom", "En bas";
    STORE_PART: "حفظ هذا الجزء صورةً جديدة", "Store this part as a new picture", "Enregistrer cette partie comme nouvelle image";
    OTHERS_PICTURE: "رفع شخص آخر هذه الصورة. الوصف هنا يخص صورة جديدة.", "Somebody else uploaded this picture. A description is stored with a new picture alone.", "Quelqu’un d’autre a envoyé cette image. Une description n’est enregistrée qu’avec une nouvelle image.";
    IMAGES: "الصور", "Pictures", "Images";
    LIBRARY: "مكتبة الصور", "Library", "Bibliothèque";
    UPLOAD: "رفع", "Upload", "Envoyer";
    SEARCH_FILE_NAMES: "كلمات من أسماء الملفات", "Words of file names", "Mots des noms de fichiers";
    WITHOUT_DESCRIPTION: "بلا وصف", "without description", "sans description";
    IMAGE_DELETED: "حُذفت الصورة.", "The picture is deleted.", "L’image est supprimée.";
    RECORDS_LOSE_IT: "تفقدها الفعاليات والأماكن والجهات التي تعرضها.", "Events, venues and organizers that show it lose it.", "Les événements, lieux et organisateurs qui la montrent la perdent.";
    NO_SUCH_IMAGE: "لا توجد صورة هنا، أو لا يحق لك تعديلها.", "There is no picture here, or you may not change it.", "Il n’y a pas d’image ici, ou vous ne pouvez pas la modifier.";
    ALT_TOO_LONG: "الوصف أطول من 500 حرف.", "The description has more than 500 characters.", "La description a plus de 500 caractères.";
    IMAGE_CONFLICT: "غيّر شخص آخر هذه الصورة في هذه الأثناء. الحفظ الآن يستبدل وصفها.", "Somebody else changed this picture meanwhile. Saving now replaces its description.", "Quelqu’un d’autre a modifié cette image entre-temps. Enregistrer maintenant remplace sa description.";
    FROM_LIBRARY: "استعمال صورة من المكتبة", "Use a picture of the library", "Utiliser une image de la bibliothèque";
    FROM_LIBRARY_HINT: "أحدث 50 صورة. يبقى وصفها كما هو.", "The newest 50 pictures. Their descriptions stay as they are.", "Les 50 images les plus récentes. Leurs descriptions restent inchangées.";
    NONE_OF_LIBRARY: "لا شيء منها", "None of them", "Aucune";
    BACK: "رجوع", "Back", "Retour";

    USERS: "المستخدمون", "Users", "Utilisateurs";
    NEW_USER: "مستخدم جديد", "New user", "Nouvel utilisateur";
    LAST_SESSION: "آخر جلسة مفتوحة منذ", "Newest open session since", "Dernière session ouverte depuis";
    ACTIVE: "فعّال", "active", "actif";
    DISABLED: "معطّل", "disabled", "désactivé";
    ACCESS: "الدخول", "Access", "Accès";
    ENABLE: "تفعيل", "Enable", "Activer";
    DISABLE: "تعطيل", "Disable", "Désactiver";
    NEW_INVITATION: "دعوة جديدة", "New invitation", "Nouvelle invitation";
    END_SESSIONS: "إنهاء كل الجلسات", "End all sessions", "Terminer toutes les sessions";
    INVITATION: "دعوة", "Invitation", "Invitation";
    INVITATION_FOR: "دعوة للمستخدم:", "Invitation of the user:", "Invitation de l’utilisateur :";
    INVITATION_LINK: "العنوان الذي تُختار فيه كلمة المرور", "Address at which the password is chosen", "Adresse où choisir le mot de passe";
    INVITATION_HINT: "يظهر هذا العنوان مرة واحدة هنا ويصلح مرة واحدة. أرسله إلى المستخدم وحده. الدعوات السابقة لم تعد صالحة. صالح حتى", "This address is shown here once, and valid once. Give it to the user alone. Former invitations are void. Valid until", "Cette adresse n’est montrée qu’ici, et ne sert qu’une fois. Ne la donnez qu’à l’utilisateur. Les invitations précédentes ne valent plus. Valable jusqu’au";
    NO_SUCH_USER: "لا يوجد مستخدم هنا.", "There is no user here.", "Il n’y a pas d’utilisateur ici.";
    USER_TAKEN: "لمستخدم آخر هذا الاسم أو هذا البريد.", "Another user has this name or this address.", "Un autre utilisateur a ce nom ou cette adresse.";
    BAD_USER_NAME: "اسم المستخدم من 1 إلى 60 حرفًا، بلا فراغات ولا نقطتين.", "A user name has 1 to 60 characters, without blanks and colons.", "Un nom d’utilisateur a de 1 à 60 caractères, sans espaces ni deux-points.";
    BAD_EMAIL: "هذا ليس بريدًا إلكترونيًا.", "This is no e-mail address.", "Ce n’est pas une adresse e-mail.";
    LAST_ADMINISTRATOR: "هذا آخر مدير فعّال. عيّن مديرًا آخر أولًا.", "This is the last active administrator. Give another user that role first.", "C’est le dernier administrateur actif. Donnez d’abord ce rôle à un autre utilisateur.";
    OWN_ACCOUNT: "لا يعطّل أحد حسابه.", "Nobody disables the own account.", "Personne ne désactive son propre compte.";
    IMPORTS: "الاستيراد", "Imports", "Imports";
    EVENTS: "الفعاليات", "Events", "Événements";
    FILE: "الملف", "File", "Fichier";
    FILE_HINT: "ملف تقويم (.ics) أو جدول (.csv)، أيضًا مضغوط (.gz)، حتى 1 ميبيبايت و1000 سجل.", "A calendar file (.ics) or a table (.csv), also compressed (.gz), of at most 1 MiB and 1,000 records.", "Un fichier d’agenda (.ics) ou un tableau (.csv), aussi compressé (.gz), de 1 Mio et 1 000 fiches au plus.";
    SOURCE: "اسم المصدر", "Name of the source", "Nom de la source";
    SOURCE_HINT: "لا يغيّر الاستيراد إلا ما جلبه استيراد سابق من المصدر نفسه. فارغ: import.", "An import changes only what an import of the same source brought before. Empty: import.", "Un import ne modifie que ce qu’un import de la même source a apporté. Vide : import.";
    POLICY: "ما جُلب من قبل", "What was brought before", "Ce qui a déjà été apporté";
    POLICY_OVERWRITE: "يُستبدل بما في الملف", "gets the values of the file", "prend les valeurs du fichier";
    POLICY_KEEP_LOCAL: "تُستبدل حقوله التي لم يغيّرها أحد هنا", "gets the values of the file where nobody changed them here", "prend les valeurs du fichier là où personne ne les a modifiées ici";
    POLICY_FILL_BLANKS: "تُملأ حقوله الفارغة", "gets values where it has none", "est complété là où il est vide";
    POLICY_KEEP: "يبقى كما هو", "stays as it is", "reste inchangé";
    IMPORT_ZONE_HINT: "للأوقات التي لا يذكر الملف منطقتها. فارغ: منطقة التقويم.", "For times whose zone the file does not name. Empty: that of the calendar.", "Pour les heures dont le fichier ne nomme pas le fuseau. Vide : celui de l’agenda.";
    OF_TABLES: "للجداول", "For tables", "Pour les tableaux";
    ROWS_ARE: "كل صف", "The rows are", "Les lignes sont";
    DATE_ORDER: "التواريخ مثل 5/12/2027", "Dates such as 5/12/2027", "Dates comme 5/12/2027";
    ORDER_BY_FILE: "حسب تواريخ الملف الأخرى", "as other dates of the file tell", "selon les autres dates du fichier";
    DAY_FIRST: "اليوم أولًا", "day first", "jour en premier";
    MONTH_FIRST: "الشهر أولًا", "month first", "mois en premier";
    PRUNE: "نقل الفعاليات القادمة من هذا المصدر التي لم تعد في الملف إلى المهملات", "Move to the trash what this source no longer has and has not ended", "Mettre à la corbeille ce que la source n’a plus et qui n’est pas fini";
    REHEARSE: "تجربة بلا حفظ", "Rehearse", "Essayer sans enregistrer";
    IMPORT_NOW: "استيراد", "Import", "Importer";
    REHEARSED: "نتيجة التجربة", "Rehearsal", "Essai";
    IMPORTED: "نتيجة الاستيراد", "Import", "Import";
    NOTHING_STORED: "لم يُحفظ شيء. هذا ما سيفعله الاستيراد.", "Nothing was stored. This is what the import would do.", "Rien n’a été enregistré. Voici ce que ferait l’import.";
    ANOTHER_FILE: "ملف آخر", "Another file", "Un autre fichier";
    KIND: "النوع", "Kind", "Type";
    EDIT: "تعديل", "Edit", "Modifier";
    DUPLICATES: "متشابهات", "Duplicates", "Doublons";
    DUPLICATE: "سجلان متشابهان", "Two records that look alike", "Deux fiches semblables";
    DUPLICATES_HINT: "سجلات قد تكون الشيء نفسه، لأن مصدرين أو مصدرًا وشخصًا أدخلاها.", "Records that may be the same thing, because two sources, or a source and a person, brought it.", "Des fiches qui décrivent peut-être la même chose, apportée par deux sources, ou par une source et une personne.";
    DUPLICATE_SCORE: "درجة التشابه", "Score", "Score";
    DUPLICATE_KEEP: "السجل الذي يبقى", "The record that stays", "La fiche qui reste";
    DUPLICATE_KEEP_HINT: "يبقى عنوانه وحالته وكاتبه. يقود عنوان الآخر إليه، ويواصل كل مصدر تحديثه.", "Its address, status and author stay. The address of the other one leads to it, and each source goes on to update it.", "Son adresse, son état et son auteur restent. L’adresse de l’autre y mène, et chaque source continue de la mettre à jour.";
    DUPLICATE_MERGE: "دمج", "Merge", "Fusionner";
    DUPLICATE_DISMISS: "ليسا الشيء نفسه", "They are two things", "Ce sont deux choses";
    DUPLICATE_UNDO: "التراجع عن الدمج", "Undo the merge", "Annuler la fusion";
    DUPLICATE_UNDO_HINT: "حتى 30 يومًا. تبقى الحقول التي عُدّلت بعد الدمج كما هي.", "Within 30 days. Fields that somebody changed since stay as they are.", "Dans les 30 jours. Les champs modifiés depuis restent tels quels.";
    DUPLICATE_MERGED: "دُمج السجلان.", "The records are merged.", "Les fiches sont fusionnées.";
    DUPLICATE_DISMISSED: "لن يظهر السجلان معًا مرة أخرى ما لم يزد تشابههما.", "The two are not shown again unless they look more alike.", "Les deux ne sont plus montrées, sauf si elles se ressemblent davantage.";
    DUPLICATE_UNDONE: "تم التراجع عن الدمج.", "The merge is undone.", "La fusion est annulée.";
    DUPLICATE_STAYED: "حقول بقيت كما هي لأنها عُدّلت بعده:", "Fields that stay, as somebody changed them since:", "Champs inchangés, car modifiés depuis :";
    DUPLICATE_CHANGED: "تغيّر أحد السجلين في هذه الأثناء، أو بُت في أمرهما.", "One of the records changed meanwhile, or the pair is closed.", "L’une des fiches a changé entre-temps, ou la paire est close.";
    DUPLICATE_KEEP_PUBLIC: "لا يُدمج سجل منشور في سجل غير منشور.", "A public record merges only into a public one.", "Une fiche publique ne fusionne que dans une fiche publique.";
    NO_SUCH_DUPLICATE: "لا يوجد هنا سجلان متشابهان.", "There is no such pair here.", "Il n’y a pas de telle paire ici.";
    EDITORS_MERGE: "يدمج المحررون السجلات المتشابهة.", "Editors merge records that look alike.", "Les éditeurs fusionnent les fiches semblables.";
    SOURCES: "المصادر", "Sources", "Sources";
    NEW_SOURCE: "مصدر جديد", "New source", "Nouvelle source";
    NO_SOURCES: "لا يُقرأ أي تقويم آخر.", "No calendar elsewhere is read.", "Aucun agenda d’ailleurs n’est lu.";
    NO_SUCH_SOURCE: "لا يوجد مصدر هنا.", "There is no source here.", "Il n’y a pas de source ici.";
    EDITORS_READ_SOURCES: "يطّلع المحررون على المصادر، ويغيّرها المديرون.", "Editors read sources, and administrators change them.", "Les éditeurs consultent les sources, et les administrateurs les modifient.";
    SOURCE_REMOVED: "أُزيل المصدر.", "The source is removed.", "La source est supprimée.";
    SOURCE_ASKED: "طُلبت قراءة المصدر، وستبدأ بعد قليل.", "The source will be read within a minute.", "La source sera lue d’ici une minute.";
    SOURCE_IS_READ: "يُقرأ المصدر الآن. أعد المحاولة بعد قليل.", "The source is being read. Try again in a moment.", "La source est en cours de lecture. Réessayez dans un instant.";
    TOO_MANY_SOURCES: "لا يمكن أن يزيد عدد المصادر على 100.", "A calendar has at most 100 sources.", "Un agenda a au plus 100 sources.";
    SOURCE_URL: "العنوان", "Address", "Adresse";
    SOURCE_URL_HINT: "عنوان https أو webcal. لا يرى المسار إلا المديرون.", "An https or webcal address. Administrators alone see its path.", "Une adresse https ou webcal. Seuls les administrateurs en voient le chemin.";
    SOURCE_NAME_HINT: "لا يتغير بعد ذلك.", "It does not change later.", "Il ne change plus ensuite.";
    SOURCE_FORMAT: "الصيغة", "Format", "Format";
    SOURCE_ICS: "ملف تقويم (iCalendar)", "Calendar file (iCalendar)", "Fichier d’agenda (iCalendar)";
    SOURCE_CSV: "جدول (CSV)", "Table (CSV)", "Tableau (CSV)";
    SOURCE_TEC: "موقع لـ The Events Calendar", "Site of The Events Calendar", "Site de The Events Calendar";
    SOURCE_EVERY: "الفترة بين قراءتين", "Time between two runs", "Temps entre deux lectures";
    SOURCE_EVERY_HINT: "من 5m إلى 7d، مثل 30m أو 6h.", "From 5m to 7d, such as 30m or 6h.", "De 5m à 7d, par exemple 30m ou 6h.";
    SOURCE_USER: "تُنسب فعالياته إلى", "Its events belong to", "Ses événements appartiennent à";
    SOURCE_NEW_EVENTS: "حالة الفعاليات الجديدة", "Status of new events", "État des nouveaux événements";
    SOURCE_CATEGORY: "تصنيف كل فعالياته", "Category of all its events", "Catégorie de tous ses événements";
    SOURCE_CHANGE: "تعديل المصدر", "Change the source", "Modifier la source";
    SOURCE_RUN: "اقرأه الآن", "Read it now", "Lire maintenant";
    SOURCE_PAUSE: "إيقاف مؤقت", "Pause", "Mettre en pause";
    SOURCE_RESUME: "استئناف", "Resume", "Reprendre";
    SOURCE_REMOVE: "إزالة المصدر", "Remove the source", "Supprimer la source";
    SOURCE_KEEP_EVENTS: "تبقى فعالياته", "Its events stay", "Ses événements restent";
    SOURCE_TRASH_EVENTS: "تُنقل فعالياته إلى المهملات", "Its events go to the trash", "Ses événements vont à la corbeille";
    SOURCE_LAST_RUN: "آخر قراءة", "Last run", "Dernière lecture";
    SOURCE_LAST_SUCCESS: "آخر قراءة ناجحة", "Last successful run", "Dernière lecture réussie";
    SOURCE_NEXT_RUN: "القراءة التالية", "Next run", "Prochaine lecture";
    SOURCE_REPORT: "تقرير آخر تغيير", "Report of the last change", "Rapport du dernier changement";
    SOURCE_RUNNING: "يُقرأ الآن", "being read", "en cours de lecture";
    SOURCE_STATUS: "أجاب الخادم بالحالة", "the server answered with status", "le serveur a répondu avec le statut";
    SOURCE_UNREACHABLE: "لا يجيب الخادم", "the server does not answer", "le serveur ne répond pas";
    SOURCE_TOO_SLOW: "استغرق الجواب أكثر من دقيقة", "the answer took more than a minute", "la réponse a pris plus d’une minute";
    SOURCE_FORBIDDEN_ADDRESS: "العنوان ليس عامًا", "the address is not public", "l’adresse n’est pas publique";
    SOURCE_REDIRECTS: "إعادات توجيه كثيرة", "there are too many redirects", "il y a trop de redirections";
    SOURCE_TOO_LARGE: "الملف أكبر من 64 ميبيبايت", "the file has more than 64 MiB", "le fichier dépasse 64 Mio";
    SOURCE_DAMAGED: "الملف المضغوط تالف", "the compressed file is damaged", "le fichier compressé est endommagé";
    SOURCE_NO_CALENDAR: "الجواب ليس تقويمًا", "the answer is no calendar", "la réponse n’est pas un agenda";
    SOURCE_TOO_MANY_EVENTS: "في الملف أكثر من 100000 فعالية", "the file has more than 100,000 events", "le fichier a plus de 100 000 événements";
    SOURCE_TOO_MANY_GONE: "اختفى نصف الفعاليات القادمة، أو الملف غير كامل: لم يُؤخذ شيء", "half of the events to come are gone, or the file is incomplete: nothing was taken", "la moitié des événements à venir ont disparu, ou le fichier est incomplet : rien n’a été repris";
    SOURCE_NO_USER: "صاحب الفعاليات معطّل، أو لم يعد كاتبًا", "the owner of its events is disabled, or is no author any more", "la personne à qui sont les événements est désactivée, ou n’est plus auteur";
    SOURCE_HEADER_FILE: "تعذرت قراءة ملف الترويسات", "the file with the headers cannot be read", "le fichier d’en-têtes est illisible";
    SOURCE_STOPPED: "توقفت القراءة قبل نهايتها", "the run stopped before its end", "la lecture s’est arrêtée avant la fin";
    COUNT_READ: "مقروءة", "Read", "Lus";
    COUNT_CREATED: "جديدة", "Created", "Créés";
    COUNT_UPDATED: "معدّلة", "Changed", "Modifiés";
    COUNT_UNCHANGED: "بلا تغيير", "Unchanged", "Inchangés";
    COUNT_CANCELLED: "ملغاة", "Cancelled", "Annulés";
    COUNT_PRUNED: "نُقلت إلى المهملات", "Moved to the trash", "Mis à la corbeille";
    COUNT_DUPLICATES: "أزواج متشابهة", "Pairs that look alike", "Paires semblables";
    COUNT_MERGED: "أزواج دُمجت", "Pairs merged", "Paires fusionnées";
    COUNT_IGNORED: "أجزاء مهملة", "Parts left out", "Parties laissées de côté";
    COUNT_REFUSED: "مرفوضة", "Refused", "Refusés";
    WARNINGS: "تحذيرات", "Warnings", "Avertissements";
    LINE: "السطر", "Line", "Ligne";
    REASON: "السبب", "Reason", "Raison";
    FIELD: "الحقل", "Field", "Champ";
    MORE_FINDINGS: "نتائج أخرى لا تظهر هنا:", "Further findings, which are left out:", "Autres constats, omis :";
    EDITORS_IMPORT: "الاستيراد للمحررين.", "Editors import files.", "Les éditeurs importent des fichiers.";

    SITE: "الموقع", "Site", "Site";
    SITE_HINT: "يظهر ذلك على كل صفحة. التغيير يسري على كل الخوادم خلال 5 ثوانٍ.", "Each page shows this. A change holds on all servers within 5 seconds.", "Chaque page le montre. Un changement vaut sur tous les serveurs en 5 secondes au plus.";
    SITE_NAME: "اسم الموقع", "Name of the site", "Nom du site";
    ARABIC_NAME: "الاسم بالعربية", "Name in Arabic", "Nom en arabe";
    ENGLISH_NAME: "الاسم بالإنجليزية", "Name in English", "Nom en anglais";
    FRENCH_NAME: "الاسم بالفرنسية", "Name in French", "Nom en français";
    NAME_IN_HINT: "فارغ: اسم الموقع.", "Empty: the name of the site.", "Vide : le nom du site.";
    LOGO: "الشعار", "Logo", "Logo";
    LOGO_HINT: "بجانب الاسم. PNG أو JPEG أو WebP، حتى 1 ميبيبايت.", "Beside the name. PNG, JPEG or WebP, at most 1 MiB.", "À côté du nom. PNG, JPEG ou WebP, 1 Mio au plus.";
    REMOVE_LOGO: "إزالة الشعار", "Remove the logo", "Retirer le logo";
    COLOUR: "اللون", "Colour", "Couleur";
    COLOUR_HINT: "لون الروابط والأزرار، مثل #0b5d57، داكن يُقرأ على الأبيض.", "Of links and buttons, such as #0b5d57, dark enough to be read on white.", "Des liens et des boutons, par exemple #0b5d57, assez foncée pour être lue sur du blanc.";
    FOOTER: "نص أسفل كل صفحة", "Text at the end of each page", "Texte en bas de chaque page";
    IMPRINT_URL: "عنوان صفحة بيانات الناشر", "Address of the imprint", "Adresse des mentions légales";
    PRIVACY_URL: "عنوان سياسة الخصوصية", "Address of the privacy policy", "Adresse de la politique de confidentialité";
    WEEK_START: "أول أيام الأسبوع", "First day of the week", "Premier jour de la semaine";
    BY_LANGUAGE: "حسب لغة الصفحة", "as the language of the page has it", "selon la langue de la page";
    SATURDAY: "السبت", "Saturday", "samedi";
    SUNDAY: "الأحد", "Sunday", "dimanche";
    MONDAY: "الاثنين", "Monday", "lundi";
    FIXED_BY: "محدد عند تشغيل الخدمة بواسطة", "Set at the start of the service, by", "Fixé au démarrage du service, par";
    FIXED_BY_PROGRAM: "يحدده البرنامج.", "The program sets it.", "Le programme le fixe.";
    SITE_LANGUAGE: "لغة الموقع", "Language of the site", "Langue du site";
    SITE_LANGUAGE_FIXED: "عناوين الصفحات والنصوص المحفوظة تعتمد عليها. تُحدد عند تشغيل الخدمة بواسطة", "Addresses of pages and stored texts depend on it. It is set at the start of the service, by", "Les adresses des pages et les textes enregistrés en dépendent. Elle est fixée au démarrage du service, par";
    SITE_ZONE_FIXED: "أوقات الفعاليات تعتمد عليها. تُحدد عند تشغيل الخدمة بواسطة", "Times of events depend on it. It is set at the start of the service, by", "Les heures des événements en dépendent. Il est fixé au démarrage du service, par";
    LAST_CHANGE: "آخر تغيير:", "Last change:", "Dernier changement :";
    SITE_CONFLICT: "غيّر شخص آخر الموقع في هذه الأثناء. ما كتبته هنا، والمحفوظ في الأسفل. الحفظ الآن يستبدله.", "Somebody else changed the site meanwhile. Your version is in the form; the stored one is below. Saving now replaces it.", "Quelqu’un d’autre a modifié le site entre-temps. Votre version est dans le formulaire ; celle enregistrée est plus bas. Enregistrer maintenant la remplace.";
    NOT_ONE_LINE: "نص من سطر واحد.", "A text of one line.", "Un texte d’une ligne.";
    LINE_TOO_LONG: "1000 حرف على الأكثر.", "At most 1,000 characters.", "1 000 caractères au plus.";
    NO_COLOUR: "ليس لونًا مثل #0b5d57.", "This is no colour such as #0b5d57.", "Ce n’est pas une couleur comme #0b5d57.";
    PALE_COLOUR: "لون فاتح لا يُقرأ على خلفية الصفحات. يجب أن يكون التباين 4.5 على الأقل، وهو", "Too pale to be read on pages. The contrast must be at least 4.5; it is", "Trop pâle pour être lue sur les pages. Le contraste doit être d’au moins 4,5 ; il est de";
    NO_WEB_ADDRESS: "ليس عنوان ويب مثل https://town.example/imprint.", "This is no web address such as https://town.example/imprint.", "Ce n’est pas une adresse web comme https://town.example/imprint.";
    NO_LOGO: "ليس صورة PNG أو JPEG أو WebP.", "This is no picture in PNG, JPEG or WebP.", "Ce n’est pas une image PNG, JPEG ou WebP.";
    NO_WEEK_START: "ليس من هذه الأيام.", "This is none of these days.", "Ce n’est pas l’un de ces jours.";
    CHOOSE_LOGO_AGAIN: "لم يُحفظ الملف. اختره مرة أخرى.", "The file is not stored. Choose it again.", "Le fichier n’est pas enregistré. Choisissez-le à nouveau.";

    SECRET_FEEDS: "الاشتراكات السرية", "Secret feeds", "Flux secrets";
    SECRET_FEEDS_HINT: "كل عنوان سري يفتح لمن يعرفه قائمة فعاليات يراها صاحبه.", "Each secret address opens a list of the events that its owner sees to everybody who knows it.", "Chaque adresse secrète ouvre à qui la connaît une liste des événements que voit son propriétaire.";
    NEW_FEED: "اشتراك سري جديد", "New secret feed", "Nouveau flux secret";
    WITH_UNPUBLISHED: "مع ما لم يُنشر", "With events that are not published", "Avec les événements non publiés";
    CREATE_FEED: "إنشاء العنوان", "Make the address", "Créer l’adresse";
    FEED_ADDRESS: "عنوان لبرنامج التقويم", "Address for your calendar program", "Adresse pour votre agenda";
    FEED_ADDRESS_HINT: "يظهر هذا العنوان مرة واحدة. من يعرفه يقرأ القائمة.", "This address is shown once. Everybody who knows it reads the list.", "Cette adresse n’est montrée qu’une fois. Qui la connaît lit la liste.";
    SUBSCRIBE: "اشتراك", "Subscribe", "S’abonner";
    TOO_MANY_FEEDS: "لديك أكبر عدد من الاشتراكات السرية. ألغِ واحدًا منها أولًا.", "You have as many secret feeds as there may be. Revoke one of them first.", "Vous avez le nombre maximal de flux secrets. Révoquez-en un d’abord.";
    FILTER: "التصفية", "Filter", "Filtre";
    OWNER: "المالك", "Owner", "Propriétaire";
    LAST_READ: "آخر قراءة", "Last read", "Dernière lecture";
    REVOKE: "إلغاء", "Revoke", "Révoquer";
    FEED_REVOKED: "أُلغي الاشتراك، ولم يعد عنوانه يفتح شيئًا.", "The feed is revoked: its address opens nothing any more.", "Le flux est révoqué : son adresse n’ouvre plus rien.";
    NO_SUCH_FEED: "لا يوجد اشتراك هنا.", "There is no feed here.", "Il n’y a pas de flux ici.";
    PUBLISHED_EVENTS: "الفعاليات المنشورة", "Published events", "Événements publiés";

    TRAIL: "سجل التغييرات", "Audit trail", "Journal des modifications";
    HISTORY: "التاريخ", "History", "Historique";
    RECORD_NUMBER: "رقم السجل", "Number of the record", "Numéro de la fiche";
    USER: "المستخدم", "User", "Utilisateur";
    CHANGE: "التغيير", "Change", "Modification";
    FROM: "من", "From", "Depuis";
    UNTIL_BEFORE: "حتى ما قبل", "Before", "Avant";
    EVERYTHING: "الكل", "All", "Tout";
    TIMES_IN: "الأوقات في المنطقة الزمنية", "Times are in the time zone", "Les heures sont dans le fuseau";
    NEWEST: "الأحدث", "Newest", "Les plus récentes";
    WAS_CREATED: "إنشاء", "created", "création";
    WAS_CHANGED: "تعديل", "changed", "modification";
    WAS_TRASHED: "نقل إلى المهملات", "moved to the trash", "mise à la corbeille";
    WAS_UNTRASHED: "إخراج من المهملات", "taken out of the trash", "sortie de la corbeille";
    WAS_DELETED: "حذف نهائي", "deleted for good", "suppression définitive";
    KIND_IMAGE: "صورة", "picture", "image";
    KIND_USER: "مستخدم", "user", "utilisateur";
    KIND_TOKEN: "رمز دخول", "token", "jeton";
    KIND_FEED: "اشتراك سري", "secret feed", "flux secret";
    KIND_SOURCE: "مصدر", "source", "source";
    KIND_SITE: "الموقع", "site", "site";
    BY_TOKEN: "بالواجهة البرمجية", "by the interface", "par l’interface";
    AT_THE_DESK: "على المكتب", "at the desk", "au bureau";
    BY_A_VISITOR: "زائر بلا تسجيل دخول", "by a visitor who was not signed in", "par une personne non connectée";
    BY_COMMAND: "بسطر الأوامر", "on the command line", "en ligne de commande";
    BY_JOB: "مهمة للخدمة", "by a task of the service", "par une tâche du service";
    BY_PROGRAM: "برنامج يتضمن الخدمة", "by a program that has the service built in", "par un programme qui contient le service";
    IS_DISABLED: "معطّل", "Disabled", "Désactivé";
    CHANGED_SETTINGS: "الإعدادات", "Settings", "Réglages";
    DATE_OF_SERIES: "موعد من سلسلة", "Date of a series", "Date d’une série";
    OWN_FIELDS: "حقول تختلف عن السلسلة", "Fields that differ from the series", "Champs différents de la série";
    YES: "نعم", "yes", "oui";
    NO: "لا", "no", "non";
    VALUE_BEFORE: "قبل:", "Before:", "Avant :";
    VALUE_AFTER: "بعد:", "After:", "Après :";
    IS_SECRET: "تغيّرت القيمة، ولا تُحفظ هنا.", "Another value, which is kept nowhere here.", "Une autre valeur, qui n’est gardée nulle part ici.";
    ONLY_DIGESTS: "حُذف السجل نهائيًا. لم تبق إلا بصمات القيم.", "The record was deleted for good. Digests of the values are left.", "La fiche a été supprimée définitivement. Il reste les empreintes des valeurs.";
    RESTORE_STATE: "استعادة هذه الحالة", "Restore this state", "Rétablir cet état";
    STATE_RESTORED: "استُعيدت حالة المراجعة", "Restored: the state of revision", "Rétabli : l’état de la révision";
    NO_SUCH_STATE: "لم تعد هذه الحالة محفوظة.", "This state is not there, or no longer.", "Cet état n’existe pas, ou plus.";
    WOULD_CHANGE: "سيتغيّر ما يلي. الحالة والكاتب وكلمة المرور تبقى.", "This would change. Status, author and password stay.", "Voici ce qui changerait. L’état, l’auteur et le mot de passe restent.";
    NOTHING_WOULD_CHANGE: "لن يتغيّر شيء.", "Nothing would change.", "Rien ne changerait.";
    WOULD_BE_LEFT_OUT: "سيُترك ما يلي:", "This would be left out:", "Ceci serait laissé de côté :";
    LEFT_OUT: "تُرك ما يلي:", "This was left out:", "Ceci a été laissé de côté :";
    CHANGED_MEANWHILE: "تغيّر السجل في هذه الأثناء. هذا ما سيتغيّر الآن.", "The record changed meanwhile. This is what would change now.", "La fiche a changé entre-temps. Voici ce qui changerait maintenant.";
    FINDING_BAD_DATE: "تاريخ غير صالح", "a date is not valid", "une date n’est pas valable";
    FINDING_NO_START: "لا بداية لها", "it has no start", "il n’a pas de début";
    FINDING_END_BEFORE_START: "النهاية قبل البداية", "the end is before the start", "la fin précède le début";
    FINDING_NO_TITLE: "لا عنوان له", "it has no title", "il n’a pas de titre";
    FINDING_RECURRENCE: "تكرار غير معروف هنا", "it repeats in a way that is unknown here", "il se répète d’une façon inconnue ici";
    FINDING_TOO_LARGE: "أكبر من 1 ميبيبايت", "it has more than 1 MiB", "il a plus de 1 Mio";
    FINDING_TOO_DEEP: "أجزاء متداخلة أكثر من 8 مستويات", "parts are nested more than 8 levels deep", "des parties sont imbriquées sur plus de 8 niveaux";
    FINDING_TOO_MANY_PROPERTIES: "أكثر من 1000 خاصية", "it has more than 1,000 properties", "il a plus de 1 000 propriétés";
    FINDING_TOO_MANY_VALUES: "خاصية لها أكثر من 1000 قيمة", "a property has more than 1,000 values", "une propriété a plus de 1 000 valeurs";
    FINDING_ENCODING: "السطر ليس UTF-8، وقُرئ بترميز Windows-1252", "the line is not UTF-8, and was read as Windows-1252", "la ligne n’est pas en UTF-8, et a été lue en Windows-1252";
    FINDING_NO_CALENDAR: "الملف ليس تقويمًا", "the file is no calendar", "le fichier n’est pas un agenda";
    FINDING_NO_COLON: "سطر بلا نقطتين، فأُهمل", "a line has no colon, and was left out", "une ligne sans deux-points a été laissée de côté";
    FINDING_NOT_CLOSED: "جزء بلا نهاية، فأُغلق", "a part has no end, and was closed", "une partie sans fin a été fermée";
    FINDING_UNKNOWN_ZONE: "منطقة زمنية غير معروفة؛ قُرئت التواريخ في منطقة التقويم", "a time zone is unknown; dates were read in that of the calendar", "un fuseau est inconnu ; les dates ont été lues dans celui de l’agenda";
    FINDING_ADJUSTED_TIME: "وقت لا وجود له، فاستُبدل", "a time that does not exist was replaced", "une heure qui n’existe pas a été remplacée";
    FINDING_ADJUSTED_VALUE: "قيمة فيها خطأ: قُرئت كما يُفهم منها، أو أُهملت", "a faulty value was read as it is meant, or left out", "une valeur fautive a été lue selon son sens, ou laissée de côté";
    FINDING_METHOD: "رد على دعوة، لا يغيّر شيئًا هنا", "an answer to an invitation changes nothing here", "une réponse à une invitation ne change rien ici";
    FINDING_FOREIGN_UID: "معرّفها لفعالية من مصدر آخر، أو كُتبت هنا", "its identifier is that of an event of another source, or written here", "son identifiant est celui d’un événement d’une autre source, ou écrit ici";
    FINDING_TWICE: "مكرر في الملف؛ الأحدث هو المعتمد", "the file has it twice; the newer one counts", "le fichier l’a deux fois ; le plus récent compte";
    FINDING_NO_UID: "بلا معرّف؛ يُعرف ببدايته وعنوانه ومكانه", "it has no identifier, and is known by start, title and place", "sans identifiant, il est reconnu par son début, son titre et son lieu";
    FINDING_BAD_VALUE: "قيمة تخالف قاعدة هنا، مثل الطول", "a value breaks a rule, such as a length", "une valeur enfreint une règle, par exemple une longueur";
    FINDING_FORBIDDEN: "لا يحق لك تعديلها", "you may not change it", "vous ne pouvez pas le modifier";
    FINDING_MORE_WARNINGS: "تحذيرات أخرى لا تظهر هنا", "there are more warnings, which are left out", "il y a d’autres avertissements, qui sont omis";
    FINDING_UNKNOWN_PARENT: "الفعالية التي هي جزء منها ليست هنا؛ أُخذت من دونها", "the event that it is a part of is not here; it is taken without", "l’événement dont il fait partie n’est pas ici ; il est repris sans";
    FINDING_UNKNOWN_COLUMN: "عمود غير معروف، فأُهمل", "a column is unknown, and was left out", "une colonne inconnue a été laissée de côté";
    FINDING_TOO_MANY_COLUMNS: "أعمدة كثيرة جدًا", "the table has too many columns", "le tableau a trop de colonnes";
    FINDING_DAY_FIRST: "تواريخ تحتمل قراءتين، قُرئ اليوم فيها أولًا", "dates with two meanings were read day first", "des dates à double sens ont été lues jour en premier";
    FINDING_MONTH_FIRST: "تواريخ تحتمل قراءتين، قُرئ الشهر فيها أولًا", "dates with two meanings were read month first", "des dates à double sens ont été lues mois en premier";
    FINDING_DATE_ORDER: "ترتيب اليوم والشهر يخالف التواريخ الأخرى", "the order of day and month contradicts other dates", "l’ordre du jour et du mois contredit d’autres dates";
    FINDING_NOT_LINKED: "تصنيف أو وسم ليس هنا، أو لا يحق لك إنشاؤه؛ أُخذ السجل من دونه", "a category or a tag is not here, or you may not create it; the record is taken without", "une catégorie ou une étiquette manque, ou vous ne pouvez pas la créer ; la fiche est reprise sans";
    FINDING_TOO_MANY_DATES: "تواريخ أكثر مما يُحفظ هنا؛ أُخذت من دون بعضها", "it has more dates than are kept; it is taken without some", "il a plus de dates qu’il n’en est gardé ; il est repris sans certaines";
    FINDING_NOT_REACHED: "استغرق الاستيراد وقتًا طويلًا وتوقف قبل هذا السجل. كرّره لتكمل", "the import took too long, and stopped before it; repeat the import to go on", "l’import a pris trop de temps et s’est arrêté avant ; recommencez-le pour continuer";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_three_languages() {
        assert!(ALL.len() > 100);
        for Word(arabic, english, french) in ALL {
            assert!(![arabic, english, french].iter().any(|text| text.is_empty()));
            let is_arabic = |text: &str| text.chars().any(|c| ('\u{600}'..'\u{700}').contains(&c));
            assert!(is_arabic(arabic), "{english}");
            assert!(!is_arabic(english) && !is_arabic(french), "{english}");
        }
    }
}
