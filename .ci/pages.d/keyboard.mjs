// The way of the Tab key through a page.

/** Links and controls that a reader can see. */
const selector = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";

/** Returns what the Tab key does not reach, in the order of the page, visibly and within the window. */
export async function faultsOfKeyboard(tab) {
    const { count, dates } = await tab.evaluate((all) => {
        scrollTo(0, 0);
        document.activeElement.blur();
        getSelection().removeAllRanges();
        const targets = [...document.querySelectorAll(all)].filter((one) => one.checkVisibility() && !one.disabled);
        targets.forEach((one, number) => (one.walkNumber = number));
        return { count: targets.length, dates: targets.filter((one) => one.type === "date").length };
    }, selector);
    const faults = [];
    let last = -1;
    // A field of a date has a stop for each of its parts.
    for (let press = 0; press < count + dates * 4 && last < count - 1; press += 1) {
        await tab.keyboard.press("Tab");
        const focused = await tab.evaluate(() => {
            const one = document.activeElement;
            const box = one.getBoundingClientRect();
            const style = getComputedStyle(one);
            return {
                number: one.walkNumber ?? null,
                name: `${one.localName} "${one.textContent.trim().slice(0, 40)}"`,
                outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 1,
                inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
            };
        });
        if (focused.number === last) continue;
        if (focused.number !== last + 1) faults.push(`Tab leads from ${last} to ${focused.name} (${focused.number})`);
        if (!focused.outlined) faults.push(`the focus of ${focused.name} cannot be seen`);
        if (!focused.inside) faults.push(`${focused.name} has the focus outside the window`);
        if (focused.number === null) break;
        last = focused.number;
    }
    if (last !== count - 1) faults.push(`Tab reaches ${last + 1} of ${count} links and controls`);
    return [...new Set(faults)].slice(0, 5);
}
