import type { NomeFabricante } from '@vigia/contracts/fabricantes'
import { textoCurto } from '@vigia/contracts/values'
import { MAX_MODELO } from '@vigia/contracts/varredura'

/** Texts that a device sends without a login; '' when absent. */
export interface Evidence {
  /** ONVIF scopes. */
  readonly name: string
  readonly hardware: string
  /** Server header and realm of RTSP, and Server header and title of the web page. */
  readonly rtspServer: string
  readonly realm: string
  readonly httpServer: string
  readonly title: string
  /** Open ports. */
  readonly portas: readonly number[]
}

/** Brand names before generic firmware names: a device of a brand may run the firmware of another maker. */
const brands: readonly (readonly [RegExp, NomeFabricante])[] = [
  [/intelbras|\bi?mhdx\b|\bnvd[ -]?\d|\bmibo\b|\bvip[ -]?[1-9]\d{3}\b/i, 'intelbras'],
  [/\bjfl\b/i, 'jfl'],
  [/\bgiga\b|\btwg\b|luxvision|citrox|greatek|\bhdl\b|xmeye|h264dvr|uc-httpd/i, 'giga'],
  [/hikvision|hilook|hiwatch|dnvrs-webs|dvrdvs-webs|app-webs|\bds-\d[a-z\d]{2,}/i, 'hikvision'],
  [/\btecvoz\b|\btvt\b/i, 'tecvoz_tw'],
  [/dahua|\bimou\b|\bdhi?-|\bdh_/i, 'dahua'],
  [/uniview|\bunv\b/i, 'uniview'],
  [/tp-?link|\bvigi\b|\btapo\b/i, 'tplink'],
  [/reolink/i, 'reolink'],
  [/multilaser/i, 'multilaser'],
  [/\bpositivo\b/i, 'positivo'],
]

/**
 * Ports of a maker's own service. 37777: Dahua and Intelbras, which share the URL form. 34567: the XM family. 8000 is
 * absent: other makers use it too.
 */
const services: readonly (readonly [number, NomeFabricante])[] = [
  [34567, 'giga'],
  [37777, 'intelbras'],
]

/** Longest text that is searched. */
const MAX_TEXT = 256

/** The maker with the strongest evidence, and the model as the device calls itself. */
export function recogniseMaker(evidence: Evidence): {
  readonly fabricante: NomeFabricante | null
  readonly modelo: string | null
} {
  const { name, hardware, rtspServer, realm, httpServer, title, portas } = evidence
  const texts = [name, hardware, title, realm, rtspServer, httpServer].map((text) => text.slice(0, MAX_TEXT))
  const brand = texts.map((text) => brands.find(([pattern]) => pattern.test(text))).find((one) => one)?.[1]
  const service = services.find(([porta]) => portas.includes(porta))?.[1]
  return { fabricante: brand ?? service ?? null, modelo: shownName(hardware) ?? shownName(name) ?? shownName(title) }
}

const shown = textoCurto(MAX_MODELO)

/** Null for a text that is empty, or has characters that people cannot see. */
const shownName = (text: string): string | null => shown.safeParse(text.slice(0, MAX_MODELO)).data ?? null
