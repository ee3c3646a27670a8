import { randomBytes } from 'node:crypto'
import type { Accepts } from '../../../http/new-app.ts'
import { type Coding, codings, type PainelFile } from './load-files.ts'

const NONCE_MARK = '__CSP_NONCE__'

const notBuilt = `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><title>Vigia</title></head>
<body><h1>O painel ainda não foi construído</h1>
<p>O serviço está funcionando, mas os arquivos do painel não foram encontrados.</p>
<p>Rode <code>npm run build</code> na pasta do projeto e inicie o serviço outra vez.</p></body></html>
`

/** Paths for programs: an unknown path below them gets a JSON 404, never a page. */
const programs = /^\/(api|oauth|mcp|\.well-known|assets|healthz|pki|docs)(\/|$)/

/**
 * Answers for the dashboard: its files, and its page for any other address. The router runs in the browser.
 * null: not a path of the dashboard.
 */
export function createPainel(files: ReadonlyMap<string, PainelFile>) {
  const index = files.get('/index.html')
  const html = index ? Buffer.from(index.bytes).toString('utf8') : null

  return (path: string, accepts: Accepts): Response | null => {
    const file = path === '/index.html' ? undefined : files.get(path)
    if (file?.type.startsWith('text/html')) return servePage(Buffer.from(file.bytes).toString('utf8'))
    if (file) return serveFile(path, file, accepts.encodings)
    const isPage = path === '/' || path === '/login' || path === '/index.html'
    if (!isPage && (!accepts.html || programs.test(path))) return null
    return html === null ? page(notBuilt, 503, randomNonce()) : servePage(html)
  }
}

/** Its own policy applies to the requests that it repeats for a page. */
const SERVICE_WORKER = '/sw.js'

const randomNonce = () => randomBytes(16).toString('base64')

function serveFile(path: string, { bytes, type, hashed, copies }: PainelFile, encodings: string): Response {
  const coding = (Object.keys(codings) as Coding[]).find((one) => copies[one] && acceptsCoding(encodings, one))
  return new Response(coding === undefined ? bytes : copies[coding], {
    headers: {
      'content-type': type,
      'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(Object.keys(copies).length > 0 && { vary: 'accept-encoding' }),
      ...(coding !== undefined && { 'content-encoding': coding }),
      ...(path === SERVICE_WORKER && { 'content-security-policy': "default-src 'none'; connect-src 'self'" }),
    },
  })
}

/** Whether `Accept-Encoding` names the coding without `q=0`. `*` does not count: no browser needs it. */
const acceptsCoding = (encodings: string, coding: Coding): boolean =>
  encodings.split(',').some((part) => {
    const [name, q] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/)
    return name === coding && Number(q ?? 1) > 0
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
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "font-src 'self'",
        "img-src 'self' blob:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
    },
  })
