import { html as honoHtml } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup that needs no escaping. Only `html` and Hono's `raw` create it, so text of a request never becomes markup. */
export type Html = HtmlEscapedString

type Value = string | Html | readonly Html[] | null

/**
 * A markup template. Values are escaped for element content and quoted attributes; null renders as nothing. Hono's
 * function also accepts promises and then returns a promise. This type excludes them.
 */
export const html = honoHtml as (parts: TemplateStringsArray, ...values: readonly Value[]) => Html
