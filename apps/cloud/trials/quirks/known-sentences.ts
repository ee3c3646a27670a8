import { cameraFailures, cameraFailureText } from '@vigia/contracts/camera-failures'
import { causaTexts } from '@vigia/contracts/causa-text'
import { edgeFailureText, failureText } from '@vigia/contracts/pedido-failures'
import { clipeAbsent } from '../../src/domains/eventos/eventos/clipe-text.ts'
import { pictureFailures } from '../../src/domains/locais/gravadores/capture-canal.ts'
import {
  GRAVADOR_OCUPADO,
  gravacaoFailures,
  gravacaoWaits,
} from '../../src/domains/video/clipes/gravacoes/view-gravacao.ts'
import { endTexts } from '../../src/domains/video/transmissoes/end-text.ts'

/** The tables of sentences of the product, the longest sentence first. */
const sentences: readonly string[] = [
  ...cameraFailures.map((code) => cameraFailureText(code)),
  ...Object.values(failureText),
  ...Object.values(edgeFailureText),
  ...Object.values(clipeAbsent),
  ...Object.values(gravacaoFailures),
  ...Object.values(gravacaoWaits).filter((text) => text !== null),
  ...Object.values(endTexts),
  ...Object.values(pictureFailures),
  ...causaTexts,
  GRAVADOR_OCUPADO,
].sort((a, b) => b.length - a.length)

/** Remarks that follow a sentence, or stand alone (`camera-remarks.ts`, `online-camera.ts`, `port-detail.ts`). */
const REMARKS = [
  /^O equipamento derruba ou piora o vídeo da análise com mais de (uma conexão|\d+ conexões) da caixa\.[^.]*\./,
  /^O vídeo cai a cada \d+ (s|min|h)\. Causa provável: [^.]*\.( [^.]*\.)?/,
  /^A câmera não está online: não há imagem para mostrar\./,
  /^O equipamento respondeu por ONVIF e informa o vídeo na porta \d+, .*$/,
]

/** The answer of the device with the server of a redirection, damage of keyframes, a wait, or a codec. */
const ADDITIONS = [
  /^\(respondeu (com um erro de )?\d{3}( a (\d{3}|[A-Z_]+))?(: rtsps?:\/\/[\w.:[\]-]+)?\)/,
  /^\(\d+ quadros-chave seguidos com pacotes (fora de ordem|faltando)\)/,
  /^\((há \d+ s sem quadro-chave|[\w.+-]{1,32})\)/,
]

/** Whether the text consists of sentences of the product, so that no code of a library or protocol stands alone. */
export function isKnown(text: string): boolean {
  let rest = text.trim()
  let found = 0
  while (rest !== '') {
    const sentence = sentences.find((one) => rest.startsWith(one))
    const remark = REMARKS.map((pattern) => pattern.exec(rest)?.[0]).find((one) => one !== undefined)
    const added = ADDITIONS.map((pattern) => pattern.exec(rest)?.[0]).find((one) => one !== undefined)
    const addition = found > 0 ? added : undefined
    const part = sentence ?? remark ?? addition
    if (part === undefined) return false
    found++
    rest = rest.slice(part.length).trim()
  }
  return found > 0
}
