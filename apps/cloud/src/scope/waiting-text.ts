import type { MotivoEspera } from '@vigia/contracts/limites'

const texts: Readonly<Record<MotivoEspera, string>> = {
  limite:
    'O limite de espaço desta conta está todo em uso, e nenhuma imagem pode sair. As caixas guardam os eventos e ' +
    'esperam. Encurte os prazos de retenção, deixe de preservar eventos ou peça mais espaço ao operador.',
  clipes:
    'As imagens e os arquivos preservados ocupam todo o limite de espaço desta conta. Os eventos continuam a chegar; ' +
    'clipes e gravações esperam nas caixas. Encurte os prazos de retenção, deixe de preservar eventos ou peça mais ' +
    'espaço ao operador.',
  disco:
    'O disco da central tem menos de 10 % livre, e esta conta usa mais que a sua parte. As caixas guardam os eventos ' +
    'e esperam. Encurte os prazos de retenção ou peça espaço ao operador.',
}

/** Portuguese sentence: why the boxes of an Empresa wait, and what to do. */
export const waitingText = (motivo: MotivoEspera): string => texts[motivo]
