import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, describe, expect, it } from 'vitest'
import { parseDataYaml, productClass } from './class-names.ts'
import { findDataSet } from './data-set.ts'
import { expectationOf, isUnderstood, sceneOf } from './expectations.ts'
import { parseFurgLabels } from './furg-labels.ts'
import { parseYoloLabels } from './yolo-labels.ts'

const folders: string[] = []
afterEach(() => Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true }))))

/** Creates a data folder with these files; `null`: a file whose content is never read. */
async function dataFolder(files: Record<string, string | null>): Promise<string> {
  const folder = temporaryFolder('vigia-data-')
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text ?? '')
  }
  return folder
}

const EVENTS = `video,event,start_s,end_s,detail
yard.mp4,person_present,1,2,
road.mp4,vehicle_crosses_mid_line,4,8,white car moving up; total 2
road.mp4,vehicle_crosses_mid_line,9,12,white car moving down
road.mp4,sem:invasao,0,30,
still.mp4,no_motion,0,17,
bench.mp4,ia:permanencia,30,60,
`
const FURG = `<opencv_storage><frameRate>10</frameRate><frames>
<_><frameNumber>0</frameNumber><annotations></annotations></_>
<_><frameNumber>20</frameNumber><annotations><_>
176 84 24 33</_></annotations></_>
<_><frameNumber>21</frameNumber><annotations><_>
176 84 24 33</_></annotations></_>
<_><frameNumber>60</frameNumber><annotations><_>
176 84 24 33</_><_>
1 2 3 4</_></annotations></_></frames></opencv_storage>`

describe('findDataSet', () => {
  it('finds footage, labelled pictures and loose pictures, and reports the ignored folders', async () => {
    const dir = await dataFolder({
      'cctv/events.csv': EVENTS,
      'cctv/yard.mp4': null,
      'cctv/road.mp4': null,
      'cctv/still.mp4': null,
      'cctv/bench.mp4': null,
      'fire/furg/house.mp4': null,
      'fire/furg/house.xml': FURG,
      'fire/furg/barn.mp4': null,
      'ppe/classes.txt': 'Hardhat\nMask\nNO-Hardhat\n',
      'ppe/valid/images/a.jpg': null,
      'ppe/valid/labels/a.txt': '0 0.5 0.5 0.2 0.2\n1 0.5 0.5 0.2 0.2\n2 0.25 0.25 0.1 0.1 0.3 0.3 0.1 0.3\n',
      'ppe/test/images/b.png': null,
      'ppe/test/labels/c.txt': '',
      'ppe-train/images/x.jpg': null,
      'plates/car.jpg': null,
      'plates/labels.csv': 'file\n',
    })
    const { footage, sets, notes } = await findDataSet(dir, false)
    expect(footage.map(({ name }) => name)).toEqual([
      'cctv/bench.mp4',
      'cctv/road.mp4',
      'cctv/still.mp4',
      'cctv/yard.mp4',
      'fire/furg/barn.mp4',
      'fire/furg/house.mp4',
    ])
    expect(sets.map(({ name, stills, underFire }) => [name, stills.length, underFire])).toEqual([
      ['plates', 1, false],
      ['ppe', 2, false],
    ])
    const ppe = sets[1]
    expect(ppe?.classes.map(({ rotulo }) => rotulo)).toEqual(['hardhat', 'no_hardhat'])
    expect(ppe?.stills.find(({ name }) => name.endsWith('a.jpg'))?.boxes.map(({ product }) => product.rotulo)).toEqual([
      'hardhat',
      'no_hardhat',
    ])
    expect(ppe?.stills.find(({ name }) => name.endsWith('b.png'))?.boxes).toEqual([])
    expect(notes.join('\n')).toMatch(/ppe-train: pasta de treino/)
    expect(notes.join('\n')).toMatch(/ppe: classes .*Mask/)
    expect((await findDataSet(dir, true)).sets.map(({ name }) => name)).toContain('ppe-train/images')

    const of = (name: string) => footage.find((one) => one.name.endsWith(name)) ?? expect.fail(name)
    expect(expectationOf(of('yard.mp4'), 'invasao')).toMatchObject({ expected: [{ startS: 1, endS: 2 }] })
    expect(expectationOf(of('yard.mp4'), 'veiculo')).toBeNull()
    const crossings = expectationOf(of('road.mp4'), 'cruzamento_linha')?.expected
    expect(crossings?.map(({ required }) => required.direcao)).toEqual(['ba', 'ab'])
    expect(sceneOf(of('road.mp4')).linha).toEqual([
      [0, 0.5],
      [1, 0.5],
    ])
    expect(sceneOf(of('yard.mp4')).linha).toEqual([])
    expect(expectationOf(of('road.mp4'), 'invasao')).toMatchObject({ expected: [], judged: [{ endS: 30 }] })
    expect(expectationOf(of('still.mp4'), 'aglomeracao')).toMatchObject({ expected: [], judged: [{ endS: 17 }] })
    expect(expectationOf(of('bench.mp4'), 'permanencia')?.expected).toHaveLength(1)
    // Fire occurs only where it is labelled. An unlabelled clip under `fire` is unknown, and so is smoke there.
    expect(expectationOf(of('yard.mp4'), 'fogo')).toMatchObject({ expected: [], judged: [{ startS: 0 }] })
    expect(expectationOf(of('house.mp4'), 'fogo')?.expected).toMatchObject([
      { startS: 2, endS: 2.1 },
      { startS: 6, endS: 6 },
    ])
    expect(expectationOf(of('house.mp4'), 'fumaca')).toBeNull()
    expect(expectationOf(of('barn.mp4'), 'fogo')).toBeNull()
  })

  it('recognises a folder of fires also as the data folder itself', async () => {
    const dir = await dataFolder({ 'fire/barn.mp4': null, 'fire/loose.jpg': null, 'fire/more/x.jpg': null })
    const { footage, sets } = await findDataSet(join(dir, 'fire'), false)
    expect(footage.map((one) => expectationOf(one, 'fogo'))).toEqual([null])
    expect(sets.map(({ name, underFire }) => [name, underFire])).toEqual([
      ['fire', true],
      ['more', true],
    ])
  })

  it('reads the scene of a camera from cena.json', async () => {
    const scene = { ias: ['invasao'], zonas: [[0, 0, 1, 0, 1, 1]], config_ia: { invasao: { conf: 0.6 } } }
    const dir = await dataFolder({ 'a.mp4': null, 'cena.json': JSON.stringify({ 'a.mp4': scene }) })
    const { footage } = await findDataSet(dir, false)
    expect(footage[0] && sceneOf(footage[0])).toEqual({ ...scene, linha: [] })
  })

  it.each([
    ['nothing', {}, /Não há vídeos nem imagens/],
    ['only ignored folders', { 'ppe-train/a.jpg': null }, /Não há vídeos nem imagens/],
    ['labels of a missing video', { 'a.mp4': null, 'events.csv': EVENTS }, /yard\.mp4/],
    [
      'a scene with an unknown threshold',
      { 'a.mp4': null, 'cena.json': '{"a.mp4":{"config_ia":{"epi":{"x":1}}}}' },
      /a\.mp4/,
    ],
    ['broken labels', { 'classes.txt': 'fire', 'images/a.jpg': null, 'labels/a.txt': '0 0.5\n' }, /a\.txt: a linha 1/],
  ])('refuses %s with one sentence', async (_, files, sentence) => {
    await expect(findDataSet(await dataFolder(files), false)).rejects.toThrow(sentence)
  })
})

describe('labels', () => {
  it('reads the three forms of data.yaml', () => {
    expect(parseDataYaml('nc: 2  # number\nnames: [\'fire\', "smoke"]')).toEqual(['fire', 'smoke'])
    expect(parseDataYaml('names:\n  - fire\n  - smoke\nnc: 2')).toEqual(['fire', 'smoke'])
    expect(parseDataYaml('names:\n  0: fire\n  1: smoke\n')).toEqual(['fire', 'smoke'])
    expect(parseDataYaml('nc: 2')).toBeNull()
  })

  it('recognises the classes of public data sets under their various names', () => {
    expect(productClass('NO-Safety Vest')).toEqual({ tarefa: 'epi', rotulo: 'no_vest' })
    expect(productClass('Flame')).toEqual({ tarefa: 'fogo', rotulo: 'fire' })
    expect(productClass('Mask')).toBeNull()
  })

  it('clips boxes to the picture and converts polygons to boxes', () => {
    expect(parseYoloLabels('1 0.1 0.5 0.4 0.2\n', 'x')).toEqual([
      { classe: 1, box: { x: 0, y: 0.4, w: expect.closeTo(0.3), h: expect.closeTo(0.2) } },
    ])
    expect(parseYoloLabels('0 0.1 0.2 0.5 0.2 0.3 0.9', 'x')).toEqual([
      { classe: 0, box: { x: 0.1, y: 0.2, w: 0.4, h: 0.7 } },
    ])
  })

  it('joins labelled frames to stretches', () => {
    expect(parseFurgLabels(FURG, 'x')).toEqual([
      { startS: 2, endS: 2.1 },
      { startS: 6, endS: 6 },
    ])
    expect(() => parseFurgLabels('<frames/>', 'house.mp4')).toThrow(/house\.mp4/)
  })

  it('reports unknown rows', () => {
    expect(['ia:epi', 'sem:fogo', 'no_motion', 'person_present'].every(isUnderstood)).toBe(true)
    expect(['ia:voo', 'motion', 'sem:'].some(isUnderstood)).toBe(false)
  })
})
