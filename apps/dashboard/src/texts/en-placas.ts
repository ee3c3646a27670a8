import type { SameTexts } from './shape.ts'

/** English texts of the pages of passages and of lists of plates. */
export const placas: SameTexts<typeof import('./pt-br-placas.ts')['placas']> = {
  titulo: 'Passages',
  so: 'This login does not see plates of vehicles. Ask the administrator.',
  semPlaca: 'No certain reading',
  talvez: 'Maybe {{placas}}',
  foto: 'Photo of the vehicle, {{placa}}',
  aindaLa: 'still in front of the camera',
  verAlerta: 'Open the alert',
  limite: 'These are the {{total}} newest.',
  situacao: { permitida: 'Allowed', bloqueada: 'Blocked', desconhecida: 'Unknown' },
  certeza: { alta: 'Very certain reading', media: 'Certain reading', baixa: 'Uncertain reading' },
  sentido: { entrada: 'Entry', saida: 'Exit' },
  filtro: {
    placa: 'Plate',
    ajuda: 'Use * for any part. Each search is in the audit log.',
    erro: 'Use letters, digits and * only, at most 8.',
    exemplo: 'ABC*',
    buscar: 'Search',
    situacao: 'List',
    todas: 'All',
  },
  vazio: {
    titulo: 'No passage yet',
    texto: 'Turn on plate reading on the page of a camera, in the tab Plates.',
    busca: 'Nothing found',
    buscaTexto: 'Check the plate, or use * for the part you are not sure of.',
  },
  listas: {
    titulo: 'Lists of plates',
    ajuda: 'Allowed and blocked plates. A blocked one always raises an alert of high severity.',
    criar: 'Add plate',
    semFim: 'No end',
    ate: 'Valid until {{data}}',
    vencida: 'Ended on {{data}}',
    tirar: 'Remove',
    tirarRotulo: 'Remove {{placa}} from the list',
    vazio: {
      titulo: 'No listed plate',
      texto: 'A plate that is in no list is unknown.',
    },
    remocao: {
      titulo: 'Remove the plate from the list?',
      confirmar: 'Remove',
      texto: 'From now on {{placa}} counts as unknown. Stored passages do not change.',
    },
    anuncio: { criada: '{{placa}} is listed.', tirada: '{{placa}} was removed from the list.' },
  },
  formulario: {
    placa: 'Plate',
    placaExemplo: 'ABC1D23',
    placaErrada: 'Use 5 to 8 letters and digits, for example ABC1D23.',
    empresaFalta: 'Choose the company of the list.',
    lista: 'List',
    dono: 'Owner (optional)',
    nota: 'Note (optional)',
    validade: 'Valid for',
    dias_one: '{{count}} day',
    dias_other: '{{count}} days',
    salvar: 'Add plate',
  },
  camera: {
    ajuda:
      'Each vehicle in front of the camera becomes a passage, with its plate when it can be read well. Plates are ' +
      'personal data: put up a notice and keep only what you need.',
    ativo: 'Read plates on this camera',
    certeza: 'Store the plate',
    certezas: {
      alta: 'Only with a very certain reading',
      media: 'With a certain reading (recommended)',
      baixa: 'Also with an uncertain reading',
    },
    local: 'Site that the camera guards',
    localExemplo: 'Gate of street A',
    localFalta: 'Name the site.',
    papel: 'Role of the camera',
    papeis: { nenhum: 'Records only', entrada: 'Entry', saida: 'Exit', ambos: 'Entry and exit' },
    sentido: 'Entry is crossing the line',
    sentidos: { ab: 'from A to B', ba: 'from B to A' },
    linhaFalta: 'First draw the line of the camera, in the tab for zones and line: without it there is no direction.',
    desconhecidas: 'Alert on unknown plates',
    permitidas: 'Alert on allowed plates',
    dicas:
      'To read well: the plate at least 100 pixels wide in the picture, the camera less than 30° from the front of ' +
      'the vehicle, and a short exposure (1/500 s or less) against blur.',
  },
}
