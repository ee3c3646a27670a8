import { createHash } from 'node:crypto'
import { z } from 'zod'
import { notFound } from '../../../http/caller.ts'
import { openApiDocument } from '../../../http/openapi.ts'
import { defineRoute, type Route } from '../../../http/route.ts'
import { loadPage } from './page-files.ts'

/** Scripts, styles and calls only from this origin; markup that the viewer inserts cannot run scripts. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Document {
  readonly text: string
  readonly etag: string
}

/**
 * Returns `routes` and the routes of their reference: the document, and a page to read it and to send trial requests.
 */
export function withReference(routes: readonly Route[], basePath: string): readonly Route[] {
  let document: Document | undefined
  const all: readonly Route[] = [...routes, ...referenceRoutes(() => (document ??= write(all, basePath)))]
  return all
}

function write(routes: readonly Route[], basePath: string): Document {
  const text = JSON.stringify(openApiDocument(routes, basePath))
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

function referenceRoutes(document: () => Document): Route[] {
  const page = loadPage()
  return [
    defineRoute({
      method: 'get',
      path: '/api/v1/openapi.json',
      operacao: 'verDocumento',
      acesso: 'publico',
      efeito: null,
      resumo: 'Este documento (OpenAPI 3.1)',
      cabecalhos: ['ETag'],
      respostas: { 200: { midia: 'application/json' }, 304: null },
      handler: ({ request }) => {
        const { text, etag } = document()
        // Revalidated on every use, sent again only after a change (a new version of the program).
        const headers = { etag, 'cache-control': 'no-cache' }
        if (request.header('if-none-match')?.split(/, */).includes(etag))
          return new Response(null, { status: 304, headers })
        return new Response(text, { headers: { ...headers, 'content-type': 'application/json' } })
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/docs',
      operacao: 'verReferencia',
      acesso: 'publico',
      efeito: null,
      resumo: 'Esta referência, para ler e experimentar no navegador',
      respostas: { 200: { midia: 'text/html' } },
      handler: () =>
        new Response(page.html, {
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'cache-control': 'no-cache',
            'content-security-policy': pagePolicy,
          },
        }),
    }),
    defineRoute({
      method: 'get',
      path: '/api/v1/docs/{arquivo}',
      operacao: 'verArquivoDaReferencia',
      acesso: 'publico',
      efeito: null,
      resumo: 'Estilos e programas da página de referência',
      params: z.object({ arquivo: z.string() }),
      erros: [404],
      respostas: { 200: { midia: '*/*' } },
      handler: ({ params: { arquivo } }) => {
        const file = page.files.get(arquivo)
        if (!file) throw notFound('Endereço não encontrado.')
        return new Response(file.bytes, {
          headers: { 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' },
        })
      },
    }),
  ]
}
