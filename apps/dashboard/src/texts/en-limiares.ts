import type { limiares as portuguese } from './pt-br-limiares.ts'
import type { SameTexts } from './shape.ts'

export const limiares = {
  ajuda: 'Stricter values give fewer false alarms, and may miss alerts. Change one value at a time and do a walk test.',
  vigor: 'In force: {{valor}}',
  doSistema: 'system default',
  salva: 'saved for this camera: {{valor}}; default: {{padrao}}',
  voltarPadrao: 'Back to the default',
  padraoRotulo: 'Back to the default: {{nome}}',
  numero: 'Enter a number, for example 0.5.',
  inteiro: 'Enter a whole number.',
  limites: 'Use a value from {{minimo}} to {{maximo}}.',
  corrija: 'Correct the marked fields',
  ajuste: {
    poucas: 'The reviews do not change the verification yet: {{minimo}} are needed, and {{revisoes}} count so far.',
    nenhum: 'The reviews do not change the verification: {{verdadeiros}} of {{revisoes}} were true, as it expected.',
    facil:
      'By the reviews, the verification confirms surely more easily ({{ajuste}}): {{verdadeiros}} of {{revisoes}} ' +
      'were true, and it expected {{esperados}}. Discarding does not become easier.',
    dificil:
      'By the reviews, the verification confirms surely less easily ({{ajuste}}): {{verdadeiros}} of {{revisoes}} ' +
      'were true, and it expected {{esperados}}. Discarding does not become easier.',
    zerar: 'Reset',
    zerarRotulo: 'Reset the bias: {{nome}}',
    titulo: 'Reset the bias of {{nome}}?',
    pergunta: 'From now on only new reviews count. The reviews given stay stored.',
    zerado: 'Bias of {{nome}} reset.',
  },
  sugestao: {
    precisao: 'Share of true alarms that you want',
    pedir: 'Suggest from the reviews',
    pedirRotulo: 'Suggest from the reviews: {{nome}}',
    resultado:
      'With {{conf}}, {{evitados}} of {{falsos}} false alarms would not have come, nor would {{perdidos}} of ' +
      '{{verdadeiros}} true ones.',
    semPerda:
      'With {{conf}}, {{evitados}} of {{falsos}} false alarms would not have come, and all {{verdadeiros}} true ' +
      'ones would have.',
    usar: 'Put {{conf}} into the field',
    nadaMuda: 'Nothing changes until you save.',
    poucas_revisoes: '30 reviews with the present confidence ({{conf}}) are needed; there are {{total}}.',
    ja_cumpre: 'With {{conf}}, {{verdadeiros}} of {{total}} reviewed alarms are true already.',
    sem_valor: 'No value reaches {{precisao}} without losing more than half of the {{verdadeiros}} true ones.',
  },
  sim: 'yes',
  nao: 'no',
  direcao: { ambos: 'both directions', ab: 'ab: from the left to the right of the line', ba: 'ba: the opposite' },
  comuns: {
    conf: {
      nome: 'Minimum confidence',
      frase: 'From 0 to 1: the higher, the more certain the model must be.',
    },
    min_quadros: {
      nome: 'Consecutive frames',
      frase: 'Number of consecutive analysed frames with the object; there are about five a second.',
    },
    resfriamento_s: {
      nome: 'Time between events (s)',
      frase: 'Time after an event of this AI until the camera raises the next one.',
    },
    area_min: {
      nome: 'Minimum area',
      frase: 'Objects below this fraction of the frame are ignored; 0.01 is one hundredth of the picture.',
    },
    clipe_antes_s: {
      nome: 'Clip before the event (s)',
      frase: 'How many seconds the clip shows before the event; does not change the alerts.',
    },
    clipe_depois_s: {
      nome: 'Clip after the event (s)',
      frase: 'How many seconds the clip shows after the event; a long time delays the clip.',
    },
    permanencia_s: { nome: 'Time until it fires (s)', frase: 'Time for which the situation must last.' },
  },
  porIa: {
    aglomeracao: {
      min_pessoas: { nome: 'People', frase: 'Number of people in the zone at the same time that raises the event.' },
    },
    cruzamento_linha: {
      direcao: {
        nome: 'Direction that fires',
        frase: 'The line has a start and an end; the direction “ab” goes from its left to its right side.',
      },
      resfriamento_s: {
        nome: 'Time per object (s)',
        frase: 'The same object in the same direction raises no other event within this time.',
      },
    },
    epi: {
      exigir_capacete: { nome: 'Require a helmet', frase: 'Raises an event if the helmet is missing.' },
      exigir_colete: { nome: 'Require a vest', frase: 'Raises an event if the vest is missing.' },
    },
    permanencia: {
      permanencia_s: {
        nome: 'Time in the zone (s)',
        frase: 'Time for which a person may stay in the zone; leaving for up to 5 s does not reset it.',
      },
    },
    objeto_abandonado: {
      permanencia_s: {
        nome: 'Time at rest (s)',
        frase: 'Time for which the object rests with nobody near until it raises the event.',
      },
      retirados: {
        nome: 'Objects taken away',
        frase: 'Raises an event also when an object is taken from the scene.',
      },
    },
    camera_obstruida: {
      conf: { nome: 'Minimum certainty', frase: 'From 0 to 1: how clear the obstruction of the picture must be.' },
      permanencia_s: {
        nome: 'Time obstructed (s)',
        frase: 'Time for which the picture is covered, blinded, turned away or frozen until it raises the event.',
      },
      area_min: { nome: 'Minimum area', frase: 'Has no effect in this AI, which inspects the whole picture.' },
    },
  },
} satisfies SameTexts<typeof portuguese>
