import type { Locator, Page } from 'playwright-core'

/** Longest wait for one name of a way, ms. Only a way that is not there waits for so long. */
const NAME_MS = 15_000
const ROLES = ['link', 'button', 'tab', 'menuitem', 'heading', 'switch', 'checkbox', 'radio'] as const
/** Elements that open something. A heading or a field of the page is only found. */
const OPENS = 'a, button, summary, [role=tab], [role=menuitem]'

/**
 * Follows `names` over the open page: opens each link, button or tab but for the last, finds each heading, label or
 * field. Returns the first name that the page does not show; null: all are there.
 */
export async function walkWay(page: Page, names: readonly string[]): Promise<string | null> {
  for (const [index, name] of names.entries()) {
    const found = await findName(page, name)
    if (found.length === 0) return name
    if (index < names.length - 1) await open(page, found)
  }
  return null
}

/** Opens the first of `found` that a person can open. A heading is followed by the names below it. */
async function open(page: Page, found: readonly Locator[]): Promise<void> {
  for (const one of found) {
    const opened = one.locator('xpath=ancestor-or-self::*').and(page.locator(OPENS)).last()
    if ((await opened.count()) > 0) return await opened.click()
  }
}

/** The elements of the dialog, else of the page, with exactly this name. A field may add of which record it is. */
async function findName(page: Page, name: string): Promise<Locator[]> {
  const dialog = page.getByRole('dialog')
  const scope = (await dialog.count()) > 0 ? dialog.last() : page.getByRole('main')
  const found = [
    ...ROLES.map((role) => scope.getByRole(role, { name, exact: true })),
    scope.getByTitle(name, { exact: true }),
    scope.getByLabel(name, { exact: true }),
    scope.getByLabel(`${name} de `),
    // A heading may end with a badge.
    scope.locator(`xpath=.//*[self::h1 or self::h2 or self::h3][normalize-space(text())="${name}"]`),
  ]
    .reduce((any, one) => any.or(one), scope.getByText(name, { exact: true }))
    .filter({ visible: true })
  await found
    .first()
    .waitFor({ timeout: NAME_MS })
    .catch(() => null)
  return await found.all()
}
