import type { Ativado, Edge } from '@vigia/contracts/edges'
import { createCsr } from '@vigia/link/pki/csr'
import { createSealKeyPair } from '@vigia/link/sealed'
import type { TlsIdentity } from '@vigia/link/session'
import type { Client } from '../clients/client.ts'

/** An activated edge, with the data that an edge stores at its activation. */
export interface ActivatedEdge {
  readonly id: number
  readonly identity: TlsIdentity
  /** Broker address that the cloud sends to edges. */
  readonly mqttUrl: string
  /** Private key for the secrets that the cloud seals for this edge. */
  readonly sealKey: Awaited<ReturnType<typeof createSealKeyPair>>['privateJwk']
}

/** Creates an edge over the API as `by`, and activates it as an edge does. */
export async function activateEdge(by: Client, url: string, nome = 'Caixa'): Promise<ActivatedEdge> {
  const { id, codigo } = await by.expect<Edge & { codigo: string }>(201, 'POST', '/api/v1/edges', { nome })
  const [{ csrPem, privateKeyPem }, { publicJwk, privateJwk }] = await Promise.all([createCsr(), createSealKeyPair()])
  const activated = await fetch(`${url}/api/v1/edges/ativar`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ codigo, csr: csrPem, chave_cifra: publicJwk }),
  })
  if (activated.status !== 200) throw new Error(`activation: ${activated.status}`)
  const { certificado, ca, mqtt } = (await activated.json()) as Ativado
  return { id, identity: { ca, cert: certificado, key: privateKeyPem }, mqttUrl: mqtt.url, sealKey: privateJwk }
}
