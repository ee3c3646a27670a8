import { VigiaError } from '@vigia/contracts/errors'
import { registroClienteSchema } from '@vigia/contracts/oauth'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import { networkOf } from '../../../adapters/rate-limits/network.ts'
import { sendPublic } from '../../../adapters/senders/post-public.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type ClientRow, findClient, updateDocument } from './clients-store.ts'
import { acceptableRedirect } from './redirect-uri.ts'
import { addClient } from './register-client.ts'

/** Programs whose `client_id` is the address of a document about them. */
export interface ClientDocuments {
  /**
   * Reads the document, unless it was read within an hour. `recusa`: a Portuguese sentence.
   * @param address of the request, whose network has a rate
   * @throws VigiaError `muitas_requisicoes`
   */
  find(clientId: string, address: string): Promise<{ readonly cliente: ClientRow } | { readonly recusa: string }>
}

interface ClientDocumentsDeps {
  readonly db: Database
  readonly clock: Clock
  /** Allowed networks that are not public (VIGIA_WEBHOOK_PERMITIR). */
  readonly allowed: AllowedCidrs
  /** That of registrations: both add a program. */
  readonly registrationLimit: RateLimit
}

const FRESH_MS = 3_600_000
const TIMEOUT_MS = 5_000
/** Characters of a document. */
const MOST_TEXT = 10_000
/** Documents that are read at the same time. */
export const MOST_READS = 8

/** Members of other kinds are ignored, as at the registration. A client with a secret cannot be public. */
const documentSchema = registroClienteSchema.extend({
  client_id: z.string(),
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.undefined().optional(),
})

/**
 * Whether a `client_id` is the address of a document (draft-ietf-oauth-client-id-metadata-document-00, section 3). It
 * is https with a path, as a parser writes it, without user name, query and fragment.
 */
export function isDocumentId(clientId: string): boolean {
  const url = URL.parse(clientId)
  return (
    url?.protocol === 'https:' &&
    url.href === clientId &&
    url.pathname !== '/' &&
    `${url.username}${url.password}${url.search}${url.hash}` === ''
  )
}

export function createClientDocuments(deps: ClientDocumentsDeps): ClientDocuments {
  const { db, clock, registrationLimit } = deps
  let reads = 0
  return {
    async find(clientId, address) {
      const now = clock.now()
      const known = await findClient(db, clientId, now)
      if (known?.lido_em != null && now - known.lido_em < FRESH_MS) return { cliente: known }
      await registrationLimit.consume(networkOf(address))
      if (reads >= MOST_READS)
        throw new VigiaError('muitas_requisicoes', {
          detalhe: 'Muitos programas se apresentam agora. Tente de novo em alguns segundos.',
          tentarEmS: TIMEOUT_MS / 1000,
        })
      reads += 1
      const read = await readDocument(deps, clientId).finally(() => {
        reads -= 1
      })
      if ('recusa' in read) return read
      return { cliente: await transact(db, (tx) => store(tx, clientId, { ...read, lido_em: now })) }
    },
  }
}

/** The answer of the address, checked. A document is believed only about its own address. */
async function readDocument(
  { allowed }: ClientDocumentsDeps,
  clientId: string,
): Promise<Pick<ClientRow, 'nome' | 'redirect_uris_json'> | { readonly recusa: string }> {
  const { host } = new URL(clientId)
  const message = { url: new URL(clientId), headers: { accept: 'application/json', 'user-agent': 'Vigia' }, body: null }
  const answer = await sendPublic({ allowed, timeoutMs: TIMEOUT_MS }, message, new AbortController().signal)
  const refuse = (why: string) => ({
    recusa:
      `O programa se apresenta por um documento em ${host}, que o Vigia não pôde usar: ${why} ` +
      'Avise quem fez o programa.',
  })
  // No detail: anybody may name an address, and the answer must not explore a network.
  if ('erro' in answer) return refuse(answer.recusado ? 'o endereço não é público.' : 'o endereço não respondeu.')
  if (answer.status !== 200) return refuse(`o endereço respondeu ${answer.status} em vez de 200.`)
  if (answer.text.length > MOST_TEXT) return refuse(`ele passa de ${MOST_TEXT} caracteres.`)
  const read = documentSchema.safeParse(parse(answer.text))
  if (!read.success) return refuse('ele não descreve um programa público com os seus endereços de volta.')
  const { client_id, client_name, redirect_uris } = read.data
  if (client_id !== clientId) return refuse('ele descreve outro programa.')
  if (!redirect_uris.every(acceptableRedirect)) return refuse('um endereço de volta não é aceito.')
  return { nome: client_name ?? null, redirect_uris_json: JSON.stringify(redirect_uris) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const store = async (
  tx: Database,
  clientId: string,
  values: Pick<ClientRow, 'nome' | 'redirect_uris_json'> & { readonly lido_em: number },
): Promise<ClientRow> =>
  (await updateDocument(tx, clientId, values)) ??
  (await addClient(tx, { ...values, client_id: clientId, criado_em: values.lido_em }))
