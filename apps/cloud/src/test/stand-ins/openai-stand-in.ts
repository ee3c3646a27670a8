import type { ServerResponse } from 'node:http'
import { type HttpReceiver, startHttpReceiver } from './http-receiver.ts'

type Received = HttpReceiver['received'][number]

export const VLM_KEY = 'sk-chave-de-teste-do-vlm'

/** An answer to one request; `number` counts from 1. */
export type VlmScript = (response: ServerResponse, number: number) => unknown

/** A completion with this text of the model, as the Chat Completions API sends it. */
export const completion = (content: string | null, message: object = {}, finish = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'teste-vl',
  choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, refusal: null, ...message } }],
  usage: { prompt_tokens: 900, completion_tokens: 25, total_tokens: 925 },
})

export const sendJson = (response: ServerResponse, status: number, body: unknown, headers: object = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Answers with a valid verdict. */
export const says =
  (resposta: string, motivo = 'Uma pessoa de pé ao lado do portão.'): VlmScript =>
  (response) =>
    sendJson(response, 200, completion(JSON.stringify({ resposta, motivo })))

export interface OpenaiStandIn {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets the answers to later requests, and forgets the earlier ones. */
  play(script: VlmScript): void
  close(): Promise<void>
  /** Environment of a cloud that uses this server. */
  readonly env: Readonly<Record<string, string>>
}

/** A server on this machine that speaks the Chat Completions API of OpenAI. */
export async function startOpenaiStandIn(): Promise<OpenaiStandIn> {
  let script = says('presente')
  const received: Received[] = []
  const { url, close } = await startHttpReceiver((response, request) => {
    received.push(request)
    return script(response, received.length)
  })
  return {
    url,
    received,
    close,
    play(next) {
      script = next
      received.length = 0
    },
    env: {
      VIGIA_VLM_URL: `${url}/v1`,
      VIGIA_VLM_MODELO: 'teste-vl',
      VIGIA_VLM_CHAVE: VLM_KEY,
      VIGIA_VLM_PRECO_ENTRADA: '0.15',
      VIGIA_VLM_PRECO_SAIDA: '0.6',
      VIGIA_VLM_TEMPO_S: '1',
    },
  }
}
