import type { Evento } from '@vigia/contracts/eventos'
import { nomesIas } from '@vigia/contracts/ias'
import { type Publication, publishOnce } from '@vigia/link/publish-once'
import type { AllowedCidrs, Lookup } from '@vigia/rtsp/address-policy'
import { z } from 'zod'
import type { Attachments } from './attachments.ts'
import { beforeAbort } from './before-abort.ts'
import { connectionFailure, gaveUp } from './connection-failure.ts'
import { prefixOf } from './destination-server.ts'
import { type Discovery, discoverConnection, discoverIa, discoverImage, topicsOf } from './home-assistant.ts'
import { DELIVERY_MS, type Entrega, failed, type Mensagem, type RetainingSender, refused } from './interface.ts'
import { messageBody } from './message-body.ts'
import { refusals, resolvePublic } from './public-address.ts'

interface MqttSenderDeps {
  readonly allowed: AllowedCidrs
  readonly attachments: Attachments
  readonly timeoutMs?: number
  /** Default: the resolver of the system. */
  readonly lookup?: Lookup
}

/** Login of the broker, sealed in the canal. */
const loginSchema = z.object({ usuario: z.string(), senha: z.string() })

/**
 * Publishes to the broker of a customer with QoS 1. Each message is JSON below `<prefix>/mensagens`. State, picture and
 * discovery of its camera follow for Home Assistant.
 */
export function createMqttSender({
  allowed,
  attachments,
  timeoutMs = DELIVERY_MS,
  lookup,
}: MqttSenderDeps): RetainingSender {
  async function publish(
    { endereco, segredo, redes }: Parameters<RetainingSender['send']>[0],
    make: (prefix: string) => Publication[] | Promise<Publication[]>,
    signal: AbortSignal,
  ): Promise<Entrega> {
    const url = new URL(endereco)
    const tls = url.protocol === 'mqtts:'
    const prefix = prefixOf(url)
    const login = segredo === null ? null : loginSchema.parse(JSON.parse(segredo))
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      const resolved = await beforeAbort(resolvePublic(url.hostname, [...allowed, ...redes], lookup), deadline)
      if (!resolved.ok) return (resolved.falha === 'endereco_recusado' ? refused : failed)(refusals[resolved.falha])
      const target = {
        address: resolved.addresses[0] ?? '',
        host,
        port: Number(url.port) || (tls ? 8883 : 1883),
        tls,
        login,
      }
      return outcome(await publishOnce(target, await make(prefix), deadline), login !== null)
    } catch (error) {
      if (deadline.aborted) return failed(gaveUp(signal, timeoutMs))
      throw error
    }
  }
  return {
    send: (destino, mensagem, signal) =>
      publish(destino, (prefix) => publications(prefix, mensagem, attachments), signal),
    takeBack: (destino, cameras, signal) =>
      publish(destino, (prefix) => cameras.flatMap((id) => emptied(prefix, id)), signal),
  }
}

/** An empty retained message deletes the one of its topic (MQTT 3.1.1, 3.3.1.3). */
function emptied(prefix: string, id: number): Publication[] {
  const camera = { prefix, id, nome: '', link: null }
  const configs = [...nomesIas.map((ia) => discoverIa(camera, ia)), discoverImage(camera), discoverConnection(camera)]
  const topics = [...configs.map(({ topic }) => topic), topicsOf(camera).conexao]
  return topics.map((topic) => ({ ...text(topic, ''), retain: true }))
}

function outcome(published: Awaited<ReturnType<typeof publishOnce>>, hasLogin: boolean): Entrega {
  if (published.ok) return { ok: true }
  if (published.falha === 'rede') return failed(connectionFailure(published.code))
  // Login and message are those of one canal.
  if (published.falha === 'recusado') return refused('O broker MQTT encerrou a conexão sem aceitar a mensagem.')
  return refused(
    hasLogin
      ? 'O broker MQTT não aceitou o usuário ou a senha do canal.'
      : 'O broker MQTT pede usuário e senha: preencha-os no canal.',
  )
}

async function publications(prefix: string, mensagem: Mensagem, attachments: Attachments): Promise<Publication[]> {
  const body = await messageBody(mensagem, attachments)
  const own = [text(`${prefix}/mensagens/${mensagem.tipo}`, attachments.json(body))]
  if (mensagem.semRetencao) return own
  if ('queda' in mensagem) return [...own, ...connectionOf(prefix, mensagem, attachments)]
  const evento = confirmedEvento(mensagem)
  if (evento === null) return own
  const camera = discovered(prefix, { id: evento.camera_id, nome: evento.camera_nome }, attachments)
  const topics = topicsOf(camera)
  const picture = await attachments.picture(mensagem)
  return [
    ...own,
    config(discoverIa(camera, evento.tipo)),
    text(topics.atributos(evento.tipo), attachments.json({ ...evento, link: body.link, imagem_url: body.imagem_url })),
    text(topics.estado(evento.tipo), 'ON'),
    ...(picture === null
      ? []
      : [config(discoverImage(camera)), { topic: topics.imagem, payload: picture, retain: false }]),
  ]
}

/** Evento that switches the sensor of its camera on; null: none. */
function confirmedEvento(mensagem: Exclude<Mensagem, { queda: unknown }>): Evento | null {
  if (mensagem.tipo === 'evento.confirmado') return mensagem.evento
  return mensagem.tipo === 'incidente' && mensagem.capa.veredito?.decisao === 'confirmado' ? mensagem.capa : null
}

/** State of the connection of a camera. Retained, so that Home Assistant has it after a restart. */
function connectionOf(
  prefix: string,
  { tipo, camera }: Extract<Mensagem, { queda: unknown }>,
  attachments: Attachments,
) {
  if (camera === null || (tipo !== 'camera.offline' && tipo !== 'camera.online')) return []
  const device = discovered(prefix, camera, attachments)
  const state = { ...text(topicsOf(device).conexao, tipo === 'camera.online' ? 'ON' : 'OFF'), retain: true }
  return [config(discoverConnection(device)), state]
}

const discovered = (prefix: string, { id, nome }: { id: number; nome: string }, { origin }: Attachments) => ({
  prefix,
  id,
  nome,
  link: origin === null ? null : `${origin}/cameras/${id}`,
})

const text = (topic: string, value: string): Publication => ({ topic, payload: Buffer.from(value), retain: false })
/** Home Assistant reads the configuration of an entity from a retained message. */
const config = ({ topic, config }: Discovery): Publication => ({
  ...text(topic, JSON.stringify(config)),
  retain: true,
})
