import { describe, expect, it } from 'vitest'
import { parseLabels } from './labels.ts'

const CSV = `video,event,start_s,end_s,detail
a.mp4,person_present,6.0,20.0,"person 1 of 2: enters, leaves ""fast"", at last"
a.mp4,person_present,22.7,44.9,
`

describe('parseLabels', () => {
  it('reads quoted fields with commas and quotes', () => {
    expect(parseLabels(CSV)).toEqual([
      {
        video: 'a.mp4',
        event: 'person_present',
        startS: 6,
        endS: 20,
        detail: 'person 1 of 2: enters, leaves "fast", at last',
      },
      { video: 'a.mp4', event: 'person_present', startS: 22.7, endS: 44.9, detail: '' },
    ])
  })

  it.each(['a.mp4,person_present,x,20,', 'a.mp4,person_present,20,10,', 'a.mp4,,1,2,', 'a.mp4,person_present,,2,'])(
    'names the unreadable line: %s',
    (line) => expect(() => parseLabels(`video,event,start_s,end_s,detail\n${line}`)).toThrow(/linha 2/),
  )

  it('refuses another header', () => {
    expect(() => parseLabels('foo,bar\n')).toThrow(/primeira linha/)
  })
})
