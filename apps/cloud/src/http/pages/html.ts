import { html as honoHtml } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** Markup that needs no escaping. Only `html` and Hono's `raw` make it: text of a request is never mistaken for markup. */
export type Html = HtmlEscapedString

type Value = string | Html | readonly Html[] | null

/**
 * A template of markup: text in it is escaped, for element content and for quoted attributes; null is empty.
 * Hono's also takes promises, and then returns one. This type admits none.
 */
export const html = honoHtml as (parts: TemplateStringsArray, ...values: readonly Value[]) => Html
