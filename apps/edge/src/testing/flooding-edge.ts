import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Candidato } from '@vigia/contracts/candidate'
import type { Ativado } from '@vigia/contracts/edges'
import { encodeBatch } from '@vigia/link/batch'
import { createEdgeLink } from '@vigia/link/edge-link'
import { createCsr } from '@vigia/link/pki/csr'
import { createSealKeyPair } from '@vigia/link/sealed'
import { blankJpeg } from '@vigia/testing/blank-jpeg'

/**
 * An edge that does not wait for answers. It activates itself and sends batches of new records as fast as the broker
 * accepts them, until it is stopped. `node flooding-edge.ts <url of the cloud> <activation code> <camera> <records in a
 * batch> <bytes of a picture>`
 */
const [cloudUrl = '', codigo = '', camera = '', records = '', pictureBytes = ''] = process.argv.slice(2)
const cameraId = Number(camera)
const perBatch = Number(records)
/** PUBLISH packets without a PUBACK. */
const UNDER_WAY = 32

const [{ csrPem, privateKeyPem }, { publicJwk }] = await Promise.all([createCsr(), createSealKeyPair()])
const answer = await fetch(`${cloudUrl}/api/v1/edges/ativar`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ codigo, csr: csrPem, chave_cifra: publicJwk }),
})
if (!answer.ok) throw new Error(`activation: ${answer.status} ${await answer.text()}`)
const { edge_id, certificado, ca, mqtt } = (await answer.json()) as Ativado
const log = { debug() {}, info() {}, warn() {}, error() {} }
const link = createEdgeLink({
  url: mqtt.url,
  edgeId: edge_id,
  tls: () => ({ ca, cert: certificado, key: privateKeyPem }),
  log,
  backoff: { minMs: 50, maxMs: 300 },
})
const stop = () => void link.stop().then(() => process.exit(0))
process.on('SIGTERM', stop)
process.on('disconnect', stop)

const serie = randomUUID()
const picture = Number(pictureBytes) === 0 ? null : blankJpeg(Number(pictureBytes), 'flood')
const midias = picture === null ? [] : [picture]
const declared = midias.map((bytes) => ({
  ...({ papel: 'crop', tipo: 'image/jpeg', tamanho: bytes.length } as const),
  sha256: createHash('sha256').update(bytes).digest('hex'),
}))
let seq = 0

function nextItem() {
  seq += 1
  const registro: Candidato = {
    ...({ tipo: 'candidato', v: 1, id: randomUUID(), camera_id: cameraId, seq, ia: 'invasao' } as const),
    ocorrido_em: Date.now(),
    relogio: { desvio_ms: 0, sincronizado: true },
    confianca: 0.7,
    rotulos: ['person'],
    caixas: [],
    zona: null,
    quadro: { largura: 640, altura: 360 },
    calibracao: {},
    modelo: 'flood',
    detalhes: {},
    midias: declared,
    midia_descartada: picture === null,
  }
  // Each batch is independent of dropped ones before it.
  return { registro, midias, base: seq, desde: seq }
}

let sent = 0
async function flood() {
  for (;;) {
    const itens = Array.from({ length: perBatch }, nextItem)
    const payload = encodeBatch({ serie, itens })
    if (payload === null) throw new RangeError('the batch is larger than the link allows')
    await link.publishBatch(payload).then(
      () => (sent += 1),
      () => wait(20),
    )
  }
}

link.start()
link.onConnection((connected) => {
  if (!connected || sent > 0) return
  process.send?.({ pronto: true })
  for (let i = 0; i < UNDER_WAY; i += 1) void flood()
})
setInterval(() => process.stdout.write(`${JSON.stringify({ sent })}\n`), 500).unref()
