import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordTable } from '../../ui/record-table.tsx'
import { TypedText } from '../../ui/typed-text.tsx'
import { samples } from './samples.ts'

const keyOf = (name: string) => name

/** A table of records and its search. */
export function Records() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const rows = samples.cameras.filter((name) => name.includes(text))
  return (
    <section>
      <TypedText type="search" label={samples.camera} value={text} onTyped={(typed) => setText(typed ?? '')} />
      <RecordTable
        label={samples.empresa}
        columns={[
          ['nome', samples.camera],
          ['motivo', t('comum.salvar')],
        ]}
        rows={rows}
        keyOf={keyOf}
      >
        {(name) => (
          <>
            <th scope="row">{name}</th>
            <td>{samples.reason}</td>
          </>
        )}
      </RecordTable>
    </section>
  )
}
