// Requests of existing clients of the reference service. SITE holds the URL of the service, TOKEN a token of the user
// `admin`. Run by `.ci/existing-clients`.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const site = process.env.SITE;
const token = process.env.TOKEN;
const authorization = `Bearer ${token}`;
const api = `${site}/wp-json/tribe/events/v1`;

// Sends a request without a client library.
async function send(method, path, body) {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(api + path, { method, headers, body: JSON.stringify(body) });
    assert.equal(response.ok, true, `${method} ${path}: ${await response.clone().text()}`);
    return response.json();
}

const titles = (records, field = 'title') => records.map((record) => record[field]).sort();

// Lists end after two years by default.
const year = new Date().getUTCFullYear() + 1;

async function fill() {
    const nature = await send('POST', '/categories', { name: 'Nature' });
    await send('POST', '/categories', { name: 'Rivers', parent: nature.id });
    const venue = { venue: 'Old Mill', city: 'Lyon', country: 'France' };
    const cleanup = await send('POST', '/events', {
        title: 'River cleanup', start_date: `${year}-04-17 09:00`, end_date: `${year}-04-17 12:00`, cost: '€4', venue,
        organizer: { organizer: 'Green Hands' }, categories: ['Rivers'], tags: ['volunteers'],
    });
    for (let day = 1; day <= 11; day++) {
        const date = `${year}-05-${String(day).padStart(2, '0')}`;
        await send('POST', '/events', {
            title: `Market ${day}`, start_date: `${date} 08:00`, end_date: `${date} 12:00`, venue: cleanup.venue.id,
            categories: ['Nature'],
        });
    }
    return cleanup;
}

// A stand-in for the API that Gatsby hands to its plugins: it stores the nodes that the plugin creates.
async function gatsby(cleanup) {
    const { sourceNodes } = require('gatsby-source-tribe-events/gatsby-node.js');
    const nodes = {};
    const helpers = {
        actions: { createNode: (node) => (nodes[node.internal.type] ??= []).push(node) },
        createNodeId: (name) => createHash('md5').update(name).digest('hex'),
        createContentDigest: (content) => createHash('md5').update(JSON.stringify(content)).digest('hex'),
    };
    await sourceNodes(helpers, { baseUrl: site, maxEvents: 50 });
    const kinds = ['TribeCategories', 'TribeEvents', 'TribeOrganizers', 'TribeTags', 'TribeVenues'];
    assert.deepEqual(Object.keys(nodes).sort(), kinds);
    assert.equal(nodes.TribeEvents.length, 12);
    assert.deepEqual(titles(nodes.TribeVenues, 'venue'), ['Old Mill']);
    assert.deepEqual(titles(nodes.TribeOrganizers, 'organizer'), ['Green Hands']);
    assert.deepEqual(titles(nodes.TribeCategories, 'name'), ['Nature', 'Rivers']);
    assert.deepEqual(titles(nodes.TribeTags, 'name'), ['volunteers']);
    assert.deepEqual(nodes.TribeCategories.map((category) => category.count).sort(), [1, 11]);
    const ids = Object.values(nodes).flat().map((node) => node.id);
    assert.equal(new Set(ids).size, 17);
    const event = nodes.TribeEvents.find((node) => node.slug === cleanup.slug);
    assert.equal(event.title, 'River cleanup');
    assert.equal(event.utc_start_date, `${year}-04-17 07:00:00`);
    assert.equal(event.venue.city, 'Lyon');
    assert.equal(event.cost, '€4');
    assert.deepEqual(event.tags.map((tag) => tag.slug), ['volunteers']);
    assert.equal(event.rest_url, `${api}/events/${cleanup.id}`);

    // Ten events by default.
    for (const kind of kinds) delete nodes[kind];
    await sourceNodes(helpers, { baseUrl: site });
    assert.equal(nodes.TribeEvents.length, 10);
}

// Discovery begins at a page, as with any site of the reference's host.
async function wpapi(cleanup) {
    const WPAPI = require('wpapi');
    for (const page of [site, `${site}/event/${cleanup.slug}/`]) {
        assert.equal((await WPAPI.discover(page))._options.endpoint, `${site}/wp-json/`);
    }
    const client = await WPAPI.discover(site);
    const calendar = client.namespace('tribe/events/v1');
    const list = await calendar.events().perPage(5).page(2);
    assert.equal(list.events.length, 5);
    assert.equal(list.events[0].title, 'Market 5');
    assert.deepEqual([list._paging.total, list._paging.totalPages], [12, 3]);
    const next = await list._paging.next;
    assert.deepEqual(next.events.map((event) => event.title), ['Market 10', 'Market 11']);
    const found = await calendar.events().search('cleanup').param('start_date', `${year}-01-01`);
    assert.deepEqual(titles(found.events), ['River cleanup']);
    assert.equal((await calendar.events().id(cleanup.id)).title, 'River cleanup');
    assert.equal((await calendar.events().bySlug(cleanup.slug)).id, cleanup.id);
    const ofRivers = await calendar.events().categories(cleanup.categories[0].id);
    assert.deepEqual(titles(ofRivers.events), ['River cleanup']);
    assert.equal((await calendar.venues().id(cleanup.venue.id)).venue, 'Old Mill');
    const { categories } = await calendar.categories().param('hide_empty', false);
    assert.deepEqual(titles(categories, 'name'), ['Nature', 'Rivers']);
    await assert.rejects(calendar.events().id(999999).get(), { code: 'rest-event-not-found' });

    // The host's own interface.
    const terms = await client.tribe_events_cat().orderby('name').order('desc').perPage(1);
    assert.deepEqual(terms.map((term) => [term.name, term.taxonomy]), [['Rivers', 'tribe_events_cat']]);
    assert.deepEqual([terms._paging.total, terms._paging.totalPages], [2, 2]);
    assert.deepEqual((await terms._paging.next).map((term) => term.name), ['Nature']);
    assert.equal((await client.tags().slug('volunteers'))[0].count, 1);
    assert.deepEqual([...await client.tags().page(9)], []);
    await assert.rejects(client.users().me().get(), { code: 'rest_not_logged_in' });
    await assert.rejects(client.tags().create({ name: 'Nobody' }), { code: 'rest_forbidden' });
    client.auth({ username: 'admin', password: token });
    const me = await client.users().me();
    assert.deepEqual([me.id, me.name, me.slug], [1, 'admin', 'admin']);
    assert.equal(me.capabilities.publish_tribe_events, true);
    assert.equal((await client.settings()).title, 'Spring & co');
    const tag = await client.tags().create({ name: 'Family & friends', description: 'For all.' });
    assert.equal(tag.slug, 'family-friends');
    assert.equal(tag.link, `${site}/tag/family-friends/`);
    assert.equal((await client.tags().id(tag.id)).name, 'Family & friends');
    const picture = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const media = await client.media().file(picture, 'dot.png').create({ title: 'Dot' });
    assert.deepEqual([media.slug, media.media_details.width], ['dot', 1]);
    assert.equal((await client.media().slug('dot'))[0].source_url, media.source_url);
}

// Configured like on a page of the host: a root, and credentials instead of a nonce.
async function apiFetch(cleanup) {
    const { default: fetchApi } = await import('@wordpress/api-fetch');
    let root = `${site}/wp-json/`;
    fetchApi.use((options, next) => fetchApi.createRootURLMiddleware(root)(options, next));
    fetchApi.use((options, next) => next({ ...options, headers: { ...options.headers, authorization } }));
    // The second root is that of a site without readable paths.
    for (root of [`${site}/wp-json/`, `${site}/?rest_route=/`]) {
        const list = await fetchApi({ path: '/tribe/events/v1/events?per_page=5&page=3' });
        assert.deepEqual(list.events.map((event) => event.title), ['Market 10', 'Market 11']);
        const response = await fetchApi({ path: '/tribe/events/v1/events?per_page=5', parse: false });
        assert.equal(response.headers.get('X-WP-Total'), '12');
        assert.equal(response.headers.get('X-WP-TotalPages'), '3');
        assert.equal((await response.json()).events[0].title, 'River cleanup');
        const body = {
            title: 'Ciné & café', start_date: '2091-02-03 20:00', end_date: '2091-02-03 22:00', cost: '5',
            categories: [cleanup.categories[0].id],
        };
        const made = await fetchApi({ path: '/tribe/events/v1/events', method: 'POST', data: body });
        assert.deepEqual([made.status, made.utc_start_date], ['publish', '2091-02-03 19:00:00']);
        assert.deepEqual(made.categories.map((category) => category.name), ['Rivers']);
        const path = `/tribe/events/v1/events/${made.id}`;
        // PUT and DELETE are sent as POST with X-HTTP-Method-Override.
        const updated = await fetchApi({ path, method: 'PUT', data: { title: 'Ciné' } });
        assert.deepEqual([updated.id, updated.title], [made.id, 'Ciné']);
        assert.equal((await fetchApi({ path, method: 'DELETE' })).status, 'trash');
        await assert.rejects(fetchApi({ path, method: 'DELETE' }), { code: 'event-is-in-trash' });
        await assert.rejects(fetchApi({ path: '/tribe/events/v1/events/999999' }), (error) => {
            assert.deepEqual([error.code, error.data.status], ['rest-event-not-found', 404]);
            assert.equal(typeof error.message, 'string');
            return true;
        });
        await assert.rejects(fetchApi({ path: '/tribe/events/v1/events', method: 'POST', data: { title: 'x' } }), {
            code: 'rest_missing_callback_param',
        });
        await assert.rejects(fetchApi({ path: '/wp/v2/posts' }), { code: 'rest_no_route' });
        // All pages of a list in sequence.
        const tags = await fetchApi({ path: '/wp/v2/tags?per_page=-1' });
        assert.deepEqual(titles(tags, 'name'), ['Family & friends', 'volunteers']);
        assert.equal((await fetchApi({ path: '/wp/v2/users/me' })).name, 'admin');
        const named = await fetchApi({ namespace: 'tribe/events/v1', endpoint: 'venues' });
        assert.deepEqual(titles(named.venues, 'venue'), ['Old Mill']);
    }
    assert.equal((await fetchApi({ path: '/' })).name, 'Spring & co');
}

const cleanup = await fill();
for (const [name, check] of Object.entries({
    'gatsby-source-tribe-events': gatsby,
    wpapi,
    '@wordpress/api-fetch': apiFetch,
})) {
    await check(cleanup);
    console.log(`${name} reads what it should`);
}
