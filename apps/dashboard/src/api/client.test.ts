import { VigiaError } from '@vigia/contracts/errors'
import { describe, expect, it } from 'vitest'
import { formErrors } from '../ui/form-errors.ts'
import { createApi, type Schema } from './client.ts'

const anything: Schema<unknown> = { safeParse: (data) => ({ success: true, data }) }
const nothing: Schema<string> = { safeParse: () => ({ success: false, error: 'no' }) }

function apiThat(answer: () => Response | Promise<Response>) {
  const requests: { url: string; init: RequestInit }[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    requests.push({ url, init })
    return answer()
  }) as typeof globalThis.fetch
  return { api: createApi({ fetch }), requests }
}

async function failureOf(run: Promise<unknown>): Promise<VigiaError> {
  const error = await run.then(() => null).catch((reason: unknown) => reason)
  if (!(error instanceof VigiaError)) throw new Error('expected a VigiaError')
  return error
}
const failed = (status: number, body: string) => {
  const { api } = apiThat(() => new Response(body, { status }))
  return failureOf(api.get('/me', anything))
}

describe('api client', () => {
  it('sends JSON to the same origin with the session', async () => {
    const { api, requests } = apiThat(() => Response.json({ id: 1 }, { status: 201 }))
    expect(await api.send('POST', '/cameras', { nome: 'Pátio' }, anything)).toEqual({ id: 1 })
    expect(requests[0]?.url).toBe('/api/v1/cameras')
    expect(requests[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"nome":"Pátio"}',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
    })
  })

  it('requests paths below the API, and other paths only with getOutside', async () => {
    const { api, requests } = apiThat(() => Response.json({}))
    await api.get('/me', anything)
    await api.getOutside('/.well-known/oauth-protected-resource/mcp', anything)
    expect(requests.map(({ url }) => url)).toEqual(['/api/v1/me', '/.well-known/oauth-protected-resource/mcp'])
  })

  it('accepts an answer without body to a removal', async () => {
    const { api } = apiThat(() => new Response(null, { status: 204 }))
    await expect(api.remove('/cameras/1')).resolves.toBeUndefined()
  })

  it('delivers a stream until its end, and cancels it when its reader throws', async () => {
    let cancelled = false
    const { api } = apiThat(() => new Response(Uint8Array.of(1, 2)))
    const seen: number[] = []
    const { signal } = new AbortController()
    await api.stream('/x', (bytes) => seen.push(...bytes), signal)
    expect(seen).toEqual([1, 2])

    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Uint8Array.of(1)),
      cancel() {
        cancelled = true
      },
    })
    const refuse = () => {
      throw new Error('not readable')
    }
    await expect(apiThat(() => new Response(endless)).api.stream('/x', refuse, signal)).rejects.toThrow('not readable')
    expect(cancelled).toBe(true)
  })

  it.each([
    [401, 'nao_autenticado'],
    [403, 'proibido'],
    [404, 'nao_encontrado'],
    [409, 'conflito'],
    [429, 'muitas_requisicoes'],
    [503, 'indisponivel'],
  ])('shows the sentence of an answer with status %i', async (status, code) => {
    expect(await failed(status, '{"detail":"Diga isto."}')).toMatchObject({ code, detalhe: 'Diga isto.' })
  })

  it('adds the request id to an internal error', async () => {
    expect((await failed(500, '{"detail":"Erro interno.","id":"abc"}')).detalhe).toBe('Erro interno. (código abc)')
  })

  it('replaces the error page of a proxy by a sentence', async () => {
    const error = await failed(502, '<h1>Bad gateway</h1>')
    expect(error).toMatchObject({ code: 'indisponivel', detalhe: expect.stringContaining('Tente outra vez') })
  })

  it('reports a lost connection', async () => {
    const { api } = apiThat(() => Promise.reject(new TypeError('Failed to fetch')))
    expect((await failureOf(api.get('/me', anything))).detalhe).toContain('Sem conexão')
  })

  it('does not report an aborted request as a lost connection', async () => {
    const { api } = apiThat(() => Promise.reject(new DOMException('stop', 'AbortError')))
    await expect(api.get('/me', anything, AbortSignal.abort())).rejects.toHaveProperty('name', 'AbortError')
  })

  it('rejects an answer that violates the contract', async () => {
    const { api } = apiThat(() => Response.json({}))
    expect((await failureOf(api.get('/me', nothing))).code).toBe('interno')
  })
})

describe('formErrors', () => {
  const body = (detail: unknown) => JSON.stringify({ detail })

  it('assigns the first error of each field to that field', async () => {
    const error = await failed(
      422,
      body([
        { loc: ['body', 'rtsp_url'], msg: 'Use rtsp://', type: 'x' },
        { loc: ['body', 'rtsp_url'], msg: 'Outra', type: 'x' },
        { loc: ['body', 'nome'], msg: 'Informe o nome', type: 'x' },
      ]),
    )
    expect(formErrors(error, ['nome', 'rtsp_url'])).toEqual({
      fields: { rtsp_url: 'Use rtsp://', nome: 'Informe o nome' },
      general: null,
    })
  })

  it('shows errors of unknown fields above the form', async () => {
    const error = await failed(422, body([{ loc: ['body', 'edge_id'], msg: 'Sem edge', type: 'x' }]))
    expect(formErrors(error, ['nome'])).toEqual({ fields: {}, general: 'edge_id: Sem edge' })
    const elsewhere = await failed(422, body([{ loc: ['query', 'nome'], msg: 'Não aqui', type: 'x' }]))
    expect(formErrors(elsewhere, ['nome'])).toEqual({ fields: {}, general: 'nome: Não aqui' })
  })

  it('shows the sentence of any other error above the form', async () => {
    const error = await failed(409, body('Limite de câmeras atingido.'))
    expect(formErrors(error, ['nome'])).toEqual({ fields: {}, general: 'Limite de câmeras atingido.' })
  })

  it('accepts errors of an unknown form', async () => {
    expect(formErrors(await failed(422, body(['x', null, { loc: 3 }])), ['nome']).general).toBe(
      'Confira os campos indicados.',
    )
  })
})
