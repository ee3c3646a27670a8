import { expect, it } from 'vitest'
import { fixtureEvento } from '../../../test/evento-fixture.ts'
import { createTexts } from '../../../texts/i18n.ts'
import { measured } from './alerta-measured.ts'

const { t } = (await createTexts('pt-BR')).i18n

it.each([
  [{ direcao: 'ab' }, [['Sentido', 'Da esquerda para a direita da seta']]],
  [{ faltam: ['capacete', 'colete'] }, [['Falta', 'capacete e colete']]],
  [
    { faltam: ['capacete'], cabeca: 'bone' },
    [
      ['Falta', 'capacete'],
      ['Cabeça', 'com boné, chapéu ou capuz'],
    ],
  ],
  [
    { problema: 'coberta', duracao_s: 12 },
    [
      ['Imagem', 'Câmera coberta'],
      ['Durava', '12 s'],
    ],
  ],
  [{ pessoas: 7 }, [['Pessoas', '7']]],
  [{ midia_descartada: true }, []],
  [{ problema: 'que uma versão nova conhece' }, []],
])('lists the measurements of the IA: %j', (detalhes, facts) => {
  expect(measured(fixtureEvento({ detalhes }), t)).toEqual(facts)
})
