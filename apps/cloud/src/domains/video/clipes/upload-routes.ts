import { invalid } from '@vigia/contracts/errors'
import { z } from 'zod'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import { UPLOAD_PATH } from './order-uploads.ts'
import { beginUpload, continueUpload, getUpload, type Upload, type UploadDeps } from './receive-upload.ts'
import { interrupted, type UploadRates } from './upload-rates.ts'

/** Version of the protocol (https://tus.io/protocols/resumable-upload, core and creation). */
const TUS = { 'tus-resumable': '1.0.0' } as const

const params = z.object({ envio: z.uuid().describe('Identificador do clipe.') })

const whole = (request: RequestInfo, name: string): number => {
  const text = request.header(name) ?? ''
  if (!/^\d{1,15}$/.test(text)) throw invalid(['header', name], 'Envie um número inteiro', 'int_parsing')
  return Number(text)
}

function requireTus(request: RequestInfo): void {
  if (request.header('tus-resumable') !== TUS['tus-resumable'])
    throw invalid(['header', 'tus-resumable'], 'Este servidor fala tus 1.0.0', 'value_error')
}

/** The value of `clipe` in `Upload-Metadata`: pairs of a key and a value in base64, separated by commas. */
function clipOf(request: RequestInfo): string {
  const pairs = (request.header('upload-metadata') ?? '').split(',').map((pair) => pair.trim().split(' '))
  const value = pairs.find(([key]) => key === 'clipe')?.[1] ?? ''
  const uuid = Buffer.from(value, 'base64').toString().toLowerCase()
  if (!params.shape.envio.safeParse(uuid).success)
    throw invalid(['header', 'upload-metadata'], 'Envie o identificador do clipe em `clipe`', 'value_error')
  return uuid
}

/** The body. A client that disconnects is no fault of the server: the bytes before stay. */
async function* bodyOf(request: RequestInfo): AsyncIterable<Uint8Array> {
  try {
    yield* request.raw.body ?? []
  } catch (error) {
    if (!request.raw.signal.aborted) throw error
    throw interrupted()
  }
}

const stateOf = ({ offset, length }: Upload) => ({
  ...TUS,
  'upload-offset': String(offset),
  'upload-length': String(length),
  'cache-control': 'no-store',
})

/** Uploads of edges: tus 1.0.0, core and creation, with the credential of the order. */
export const uploadRoutes = (deps: UploadDeps & { readonly rates: UploadRates }): Route[] => [
  defineRoute({
    method: 'post',
    path: UPLOAD_PATH,
    operacao: 'iniciarEnvio',
    acesso: 'edge',
    efeito: null,
    erros: [404, 409, 422, 429],
    cabecalhos: ['Location'],
    resumo: 'Inicia o envio de um clipe por uma caixa (tus 1.0.0)',
    respostas: { 201: null },
    handler: async ({ credential, request }) => {
      requireTus(request)
      const uuid = clipOf(request)
      const length = whole(request, 'upload-length')
      await deps.rates.run(credential.edgeId, request.signal, () => beginUpload(deps, credential, { uuid, length }))
      return { status: 201, headers: { ...TUS, location: `${UPLOAD_PATH}/${uuid}` } }
    },
  }),
  defineRoute({
    method: 'get',
    path: `${UPLOAD_PATH}/{envio}`,
    operacao: 'verEnvio',
    acesso: 'edge',
    efeito: null,
    erros: [404, 409, 429],
    resumo: 'Diz quantos bytes de um envio chegaram (HEAD, tus 1.0.0)',
    params,
    respostas: { 204: null },
    handler: async ({ credential, params: { envio }, request }) => ({
      status: 204,
      headers: stateOf(
        await deps.rates.run(credential.edgeId, request.signal, () => getUpload(deps, credential, envio.toLowerCase())),
      ),
    }),
  }),
  defineRoute({
    method: 'patch',
    path: `${UPLOAD_PATH}/{envio}`,
    operacao: 'continuarEnvio',
    acesso: 'edge',
    efeito: null,
    erros: [404, 409, 413, 429],
    resumo: 'Continua um envio (tus 1.0.0)',
    params,
    respostas: { 204: null },
    handler: async ({ credential, params: { envio }, request }) => {
      requireTus(request)
      if (request.header('content-type') !== 'application/offset+octet-stream')
        throw invalid(['header', 'content-type'], 'Envie application/offset+octet-stream', 'content_type')
      const uuid = envio.toLowerCase()
      const offset = whole(request, 'upload-offset')
      const upload = await deps.rates.run(credential.edgeId, request.signal, (limited) =>
        continueUpload(deps, credential, { uuid, offset, body: limited(bodyOf(request)) }),
      )
      return { status: 204, headers: stateOf(upload) }
    },
  }),
]
