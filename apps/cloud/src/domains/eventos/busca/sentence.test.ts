import { describe, expect, it } from 'vitest'
import { understand } from './sentence.ts'

/** A Thursday. */
const hoje = '2026-11-26'
const cameraNames = [
  { nome: 'Portão', cameraId: 1 },
  { nome: 'Portão Sul', cameraId: 2 },
  { nome: 'Doca 3', cameraId: 3 },
  { nome: 'Sala Branca', cameraId: 4 },
  { nome: 'Corredor', cameraId: 5 },
  { nome: 'Corredor', cameraId: 6 },
  { nome: 'Vila Nova', cameraId: 7 },
]

/** The understood parts as one line, and what is left. */
const lineOf = (frase: string, plates = true) => {
  const { partes, resto } = understand(frase, { hoje, cameraNames, plates })
  const parts = partes.map(({ campo, valor, ate }) => `${campo}=${valor}${ate === null ? '' : `..${ate}`}`)
  return [...parts.sort(), ...(resto === null ? [] : [`"${resto}"`])].join(' ')
}
const day = (date: string, last = date) => `periodo=2026-${date}..2026-${last}`

describe('a sentence of a search', () => {
  it.each([
    // Place and thing.
    ['pessoa no portão ontem à noite', `camera=1 coisa=person hora=18:00..06:00 ${day('11-25')}`],
    ['PESSOA NO PORTAO ONTEM A NOITE', `camera=1 coisa=person hora=18:00..06:00 ${day('11-25')}`],
    ['pessoas no portao sul', 'camera=2 coisa=person'],
    ['alguém na doca 3 de madrugada', 'camera=3 coisa=person hora=00:00..06:00'],
    ['cachorro na sala branca', 'camera=4 coisa=dog'],
    ['gente no corredor', 'coisa=person "corredor"'],
    ['homem na vila nova hoje', `camera=7 coisa=person ${day('11-26')}`],
    ['gatos no jardim', 'coisa=cat "jardim"'],
    ['caminhões na doca 3', 'camera=3 coisa=truck'],
    // IAs.
    ['invasões semana passada', `${day('11-16', '11-22')} tipo=invasao`],
    ['fumaça hoje cedo', `${day('11-26')} tipo=fumaca "cedo"`],
    ['câmera tapada ontem', `${day('11-25')} tipo=camera_obstruida`],
    ['objeto abandonado no portão', 'camera=1 tipo=objeto_abandonado'],
    ['cruzou a linha às 15h', 'hora=15:00..16:00 tipo=cruzamento_linha'],
    ['veículos hoje', `${day('11-26')} tipo=veiculo`],
    // Days.
    ['pessoa anteontem', `coisa=person ${day('11-24')}`],
    ['pessoa na segunda-feira', `coisa=person ${day('11-23')}`],
    ['pessoa terça', `coisa=person ${day('11-24')}`],
    ['pessoa no sábado', `coisa=person ${day('11-21')}`],
    ['pessoa na quinta', `coisa=person ${day('11-26')}`],
    ['pessoa na quinta passada', `coisa=person ${day('11-19')}`],
    ['pessoa última sexta', `coisa=person ${day('11-20')}`],
    ['pessoa 12/11', `coisa=person ${day('11-12')}`],
    ['pessoa em 12/12', 'coisa=person periodo=2025-12-12..2025-12-12'],
    ['pessoa 5/1/2025', 'coisa=person periodo=2025-01-05..2025-01-05'],
    ['pessoa dia 12', `coisa=person ${day('11-12')}`],
    ['pessoa no dia 30', `coisa=person ${day('10-30')}`],
    ['pessoa dia 3 de outubro', `coisa=person ${day('10-03')}`],
    ['pessoa de 10/11 a 12/11', `coisa=person ${day('11-10', '11-12')}`],
    ['pessoa entre os dias 3 e 7', `coisa=person ${day('11-03', '11-07')}`],
    ['pessoa do dia 28 ao dia 2', `coisa=person ${day('10-28', '11-02')}`],
    ['pessoa no fim de semana', `coisa=person ${day('11-21', '11-22')}`],
    ['pessoa esta semana', `coisa=person ${day('11-23', '11-26')}`],
    ['pessoa mês passado', `coisa=person ${day('10-01', '10-31')}`],
    ['pessoa nos últimos 7 dias', `coisa=person ${day('11-20', '11-26')}`],
    ['pessoa há dois dias', `coisa=person ${day('11-24')}`],
    ['pessoa em outubro', `coisa=person ${day('10-01', '10-31')}`],
    ['pessoa desde segunda', `coisa=person ${day('11-23', '11-26')}`],
    ['pessoa noite passada', `coisa=person hora=18:00..06:00 ${day('11-25')}`],
    ['pessoa 31/02', 'coisa=person "31/02"'],
    // Hours.
    ['pessoa entre 8h e 10h', 'coisa=person hora=08:00..10:00'],
    ['pessoa das 8 às 10', 'coisa=person hora=08:00..10:00'],
    ['pessoa de 22h30 a 5h', 'coisa=person hora=22:30..05:00'],
    ['pessoa 8:15 às 9:45', 'coisa=person hora=08:15..09:45'],
    ['pessoa depois das 22h', 'coisa=person hora=22:00..00:00'],
    ['pessoa antes das 7h', 'coisa=person hora=00:00..07:00'],
    ['pessoa às 10 da noite', 'coisa=person hora=22:00..23:00'],
    ['pessoa de manhã', 'coisa=person hora=06:00..12:00'],
    ['pessoa hoje à tarde', `coisa=person hora=12:00..18:00 ${day('11-26')}`],
    ['pessoa esta noite', `coisa=person hora=18:00..06:00 ${day('11-26')}`],
    ['pessoa às 29h', 'coisa=person "29h"'],
    // Colours and plates.
    ['carro branco hoje', `coisa=car cor=branco ${day('11-26')}`],
    ['moto vermelha no portão', 'camera=1 coisa=motorcycle cor=vermelho'],
    ['carros pratas ontem', `coisa=car cor=cinza ${day('11-25')}`],
    ['veículo de cor azul', 'cor=azul tipo=veiculo'],
    ['camisa branca', '"camisa branca"'],
    ['placa terminando em 414', 'placa=*414'],
    ['carro com placa final 4B', 'coisa=car placa=*4B'],
    ['placa começando com ABC', 'placa=ABC*'],
    ['placa com 1D2 ontem', `${day('11-25')} placa=*1D2*`],
    ['ABC-1D23 na doca 3', 'camera=3 placa=ABC1D23'],
    ['abc1234 semana passada', `${day('11-16', '11-22')} placa=ABC1234`],
    // Records.
    ['invasão com nota', 'nota=true tipo=invasao'],
    ['graves sem nota com certeza alta', 'certeza=alta gravidade=alta nota=false'],
    // Text.
    ['"carro" de ontem', `${day('11-25')} ""carro""`],
    ['gravata do vizinho', '"gravata do vizinho"'],
    ['sul doca', '"sul doca"'],
    ['zzz 1234', '"zzz 1234"'],
    ['—', '"—"'],
  ])('%j is %s', (frase, expected) => {
    expect(lineOf(frase)).toBe(expected)
  })

  it('leaves a plate as text for a login that sees none', () => {
    expect(lineOf('placa terminando em 414 ontem', false)).toBe(`${day('11-25')} "placa terminando 414"`)
    expect(lineOf('ABC-1D23', false)).toBe('"ABC-1D23"')
  })
  it('knows where each part stands', () => {
    const frase = 'Pessoa no  portão, ontem à noite'
    const { partes } = understand(frase, { hoje, cameraNames, plates: true })
    expect(partes.map(({ inicio, fim }) => frase.slice(inicio, fim))).toEqual(['Pessoa', 'portão', 'ontem', 'à noite'])
  })
})
