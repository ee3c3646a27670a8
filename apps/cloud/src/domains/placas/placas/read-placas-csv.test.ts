import { VigiaError } from '@vigia/contracts/errors'
import { MAX_PLACAS } from '@vigia/contracts/placas'
import { expect, it } from 'vitest'
import { unguardCell, writeCsv } from '../../../http/csv.ts'
import { csvRecords } from './csv-records.ts'
import { readPlacasCsv } from './read-placas-csv.ts'

const read = (csv: string) => [...readPlacasCsv(csv)]
function refusalOf(csv: string): string {
  try {
    read(csv)
  } catch (error) {
    if (error instanceof VigiaError) return error.detalhe
    throw error
  }
  return 'accepted'
}

it('reads either separator, any order of the columns, a byte order mark and every kind of line end', () => {
  const rows = [{ placa: 'ABC1D23', lista: 'permitida', dono: 'Apartamento 42' }]
  expect(read('\uFEFFplaca;lista;dono\r\nabc-1d23;Permitida;Apartamento 42\r\n')).toEqual(rows)
  expect(read('dono,placa,lista\nApartamento 42,ABC1D23,permitida')).toEqual(rows)
  expect(read('"Lista";"Dono";"Placa"\rpermitida;Apartamento 42;ABC1D23\r\r;;\r')).toEqual(rows)
})

it('reads quoted cells, and an empty cell as null', () => {
  const [first, second] = read(
    'placa;lista;nota;dono;validade\nABC1D23;bloqueada;"a; ""b""";;2020-01-01T00:00:00-03:00\nABC1D24;permitida;;x;\n',
  )
  expect(first).toMatchObject({ nota: 'a; "b"', dono: null, validade: Date.parse('2020-01-01T03:00:00Z') })
  expect(second).toMatchObject({ nota: null, dono: 'x', validade: null })
})

it.each([
  ['', 'Linha 1: falta a coluna placa'],
  ['placa\nABC1D23', 'Linha 1: falta a coluna lista'],
  ['placa;lista;cor\n', 'Linha 1: o nome da coluna 3 é desconhecido. Use placa, lista, nota, dono, validade'],
  ['placa;lista;placa\n', 'Linha 1: a coluna placa aparece duas vezes'],
  ['placa;lista\nABC1D23\n', 'Linha 2: o número de colunas é 1, e no cabeçalho é 2'],
  ['placa;lista\n\nA;permitida\n', /^Linha 3: placa: Use uma placa com 5 a 8/],
  ['placa;lista\nABC1D23;outra\n', 'Linha 2: lista: Valor desconhecido. Use um de: permitida, bloqueada'],
  ['placa;lista;validade\nABC1D23;permitida;31/12/2026\n', /^Linha 2: validade: Use data e hora ISO 8601/],
  ['placa;lista;nota\nABC1D23;permitida;"a\nb"\nA;permitida;\n', /^Linha 2: nota: Não use caracteres/],
  ['placa;lista\nABC1D23;permitida\nabc-1d23;bloqueada\n', 'Linha 3: a placa já está na linha 2'],
  ['placa;lista\nABC1D23;"permitida\n', 'Linha 2: as aspas abertas aqui não fecham'],
  ['placa;lista\nABC1D23;per"mitida\n', /^Linha 2: há aspas fora do lugar/],
  ['placa;lista\nABC1D23;"permitida"x\n', /^Linha 2: há aspas fora do lugar/],
])('refuses %j with the number of the line', (csv, sentence) => {
  expect(refusalOf(csv)).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence))
})

it('refuses more plates than the lists hold', () => {
  const lines = Array.from({ length: MAX_PLACAS + 1 }, (_, at) => `${10_000 + at};permitida`)
  expect(refusalOf(['placa;lista', ...lines].join('\n'))).toBe('Linha 50002: o arquivo tem mais de 50000 placas')
})

it('restores every text that writeCsv guards, and counts lines within quotes', () => {
  const texts = ['=1+1', "'=1+1", "''@x", "'nome'", '+55', '-', 'a;b', '"', 'a\r\nb', "'", 'ção']
  const records = [
    ...csvRecords(
      writeCsv(
        ['texto'],
        texts.map((text) => [text]),
      ).slice(1),
      ';',
    ),
  ]
  expect(records.slice(1).map(({ cells: [cell = ''] }) => unguardCell(cell))).toEqual(texts)
  for (const { cells } of records) expect(cells[0]).not.toMatch(/^[=+\-@]/)
  expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13])
})
