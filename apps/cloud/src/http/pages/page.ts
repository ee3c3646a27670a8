import { randomBytes } from 'node:crypto'
import { raw } from 'hono/html'
import { type Html, html } from './html.ts'
import { style } from './style.ts'

export interface Page {
  /** Title of the window and heading. */
  readonly titulo: string
  /** Text below the heading. */
  readonly introducao: Html
  readonly corpo: Html
  /** Further targets of its forms, as CSP sources. */
  readonly formAction?: readonly string[]
}

/**
 * A page without scripts, that cannot be framed and that loads only its icon. The address of the page contains the
 * request. `Referrer-Policy: same-origin` (http/security-headers.ts) keeps it from other servers. With `no-referrer`,
 * browsers would send `Origin: null` with the form of this page, as with a form of another site.
 */
export function pageAnswer(page: Page, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    `style-src 'nonce-${nonce}'`,
    `form-action ${["'self'", ...(page.formAction ?? [])].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return new Response(document(page, nonce), {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-language': 'pt-BR',
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
    },
  })
}

const document = ({ titulo, introducao, corpo }: Page, nonce: string): string =>
  html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${titulo} · Vigia</title>
<style nonce="${nonce}">${raw(style)}</style>
</head>
<body>
<main>
<header>
<svg width="44" height="44" viewBox="0 0 32 32" fill="none" aria-hidden="true">
<path d="M4.5 16C7.4 10.9 11.4 8.3 16 8.3S24.6 10.9 27.5 16c-2.9 5.1-6.9 7.7-11.5 7.7S7.4 21.1 4.5 16Z"
 stroke="var(--accent)" stroke-width="2.4" stroke-linejoin="round"/>
<circle cx="16" cy="16" r="4.3" fill="var(--accent)"/>
</svg>
<h1>${titulo}</h1>
<p class="soft">${introducao}</p>
</header>
${corpo}
</main>
</body>
</html>
`.toString()
