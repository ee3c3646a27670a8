import { randomBytes } from 'node:crypto'
import type { PainelFile } from './load-files.ts'

const NONCE_MARK = '__CSP_NONCE__'

const notBuilt = `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><title>Vigia</title></head>
<body><h1>O painel ainda não foi construído</h1>
<p>O serviço está funcionando, mas os arquivos do painel não foram encontrados.</p>
<p>Rode <code>npm run build</code> na pasta do projeto e inicie o serviço outra vez.</p></body></html>
`

/** Paths for programs: an unknown path below them gets a JSON 404, never a page. */
const programs = /^\/(api|oauth|mcp|\.well-known|assets|healthz|docs)(\/|$)/

/**
 * Answers for the dashboard: its files, and its page for any other address. The router runs in the browser.
 * null: not a path of the dashboard.
 */
export function createPainel(files: ReadonlyMap<string, PainelFile>) {
  const index = files.get('/index.html')
  const html = index ? Buffer.from(index.bytes).toString('utf8') : null

  return (path: string, acceptsHtml: boolean): Response | null => {
    const file = path === '/index.html' ? undefined : files.get(path)
    if (file) return serveFile(file)
    const isPage = path === '/' || path === '/login' || path === '/index.html'
    if (!isPage && (!acceptsHtml || programs.test(path))) return null
    return html === null ? page(notBuilt, 503, randomNonce()) : servePage(html)
  }
}

const randomNonce = () => randomBytes(16).toString('base64')

const serveFile = ({ bytes, type, hashed }: PainelFile): Response =>
  new Response(bytes, {
    headers: {
      'content-type': type,
      'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  })

function servePage(html: string): Response {
  const nonce = randomNonce()
  return page(html.replaceAll(NONCE_MARK, nonce), 200, nonce)
}

/** Scripts only from files of the dashboard; styles from them and from elements with the nonce of this answer. */
const page = (body: string, status: number, nonce: string): Response =>
  new Response(body, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': [
        "default-src 'self'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
  })
