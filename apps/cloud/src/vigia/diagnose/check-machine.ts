import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { readLinkTls } from '../../adapters/link-tls.ts'
import type { Config } from '../../config.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const DAY_MS = 86_400_000
/** A start renews a certificate 60 days before its end. */
const SOON_DAYS = 30

export function checkCertificates({ dataDir }: Config, now: number): Finding {
  const paths = ['pki/ca.pem', 'cloud/tls/cert.pem', 'broker/tls/cert.pem'].map((name) => join(dataDir, name))
  const present = paths.filter((path) => existsSync(path))
  if (present.length === 0) return failure(`Não há certificados em ${dataDir}. Rode: node apps/cloud/src/prepare.ts`)
  const days = present.map((path) => {
    const { validTo } = new X509Certificate(readFileSync(path))
    return { path, days: Math.floor((Date.parse(validTo) - now) / DAY_MS) }
  })
  const [first = { path: '', days: 0 }] = days.sort((a, b) => a.days - b.days)
  if (first.days < 0) return failure(`${first.path} venceu há ${-first.days} dias. ${RENEW}`)
  if (first.days < SOON_DAYS) return warning(`${first.path} vence em ${first.days} dias. ${RENEW}`)
  return ok(`o primeiro vence em ${first.days} dias`)
}

const RENEW = 'Reinicie o serviço (vigia-prepare e vigia-cloud): ele renova o certificado.'

export function checkDisk({ dataDir, disco }: Config): Finding {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${(free / 1e9).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} GB livres em ${folder}`
  if (free < disco.minimoBytes) return failure(`${text}. Libere espaço: eventos já são recusados.`)
  if (free < disco.avisoBytes) return warning(`${text}. Libere espaço ou aumente o disco.`)
  return ok(text)
}

const CONNECT_MS = 5_000
/** With TLS 1.3 a broker refuses a certificate only after the handshake. */
const REFUSAL_MS = 300

/** Connects as far as TLS. A whole connection would end that of the running service. */
export async function checkBroker({ mqttUrl, cloudDir }: Config): Promise<Finding> {
  const { protocol, hostname, port } = new URL(mqttUrl)
  if (protocol !== 'mqtts:') return warning(`${mqttUrl}: sem TLS, não conferido.`)
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 8883) }
  const problem = await new Promise<string | null>((resolve) => {
    const socket = connect({
      ...address,
      ...readLinkTls(cloudDir),
      timeout: CONNECT_MS,
      servername: nameOf(address.host),
    })
    const end = (text: string | null) => {
      socket.destroy()
      resolve(text)
    }
    socket.once('secureConnect', () => setTimeout(() => end(null), REFUSAL_MS))
    socket.once('timeout', () => end('sem resposta'))
    socket.once('error', (error) => end(error.message || String(Reflect.get(error, 'code'))))
    socket.once('close', () => end('conexão encerrada'))
  })
  if (problem === null) return ok(`${address.host}:${address.port} aceita o certificado da central`)
  return failure(
    `${address.host}:${address.port}: ${problem}. Confira se o broker está no ar, VIGIA_MQTT_URL e os certificados.`,
  )
}

/** An address is no server name of TLS. */
const nameOf = (host: string): string => (/^[\d.]+$|:/.test(host) ? '' : host)

/** Asks the service itself. */
export async function checkService({ host, port }: Config): Promise<Finding> {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  const url = `http://${local}:${port}/healthz`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(CONNECT_MS) })
    const { avisos = [] } = (await response.json()) as { avisos?: string[] }
    if (!response.ok) return failure(`${url} responde ${response.status}. Veja o registro do serviço.`)
    if (avisos.length > 0) return warning(`responde, com avisos: ${avisos.join(', ')}. Veja avisos-do-servidor.md.`)
    return ok(`responde em ${url}`)
  } catch {
    return warning(`${url} não responde. Se o serviço devia estar rodando, inicie-o e veja o registro dele.`)
  }
}

/** null: unknown */
export async function isClockSynchronized(): Promise<boolean | null> {
  try {
    const asked = promisify(execFile)('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
      timeout: CONNECT_MS,
    })
    const answer = (await asked).stdout.trim()
    return answer === 'yes' ? true : answer === 'no' ? false : null
  } catch {
    return null
  }
}
