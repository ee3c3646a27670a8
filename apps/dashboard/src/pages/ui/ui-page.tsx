import { Announcer } from '../../ui/announcer.tsx'
import { Column } from '../../ui/layout.tsx'
import { Cards, Facts } from './card-samples.tsx'
import { Dialogs, Forms } from './form-samples.tsx'
import { Lists, Pictures } from './list-samples.tsx'
import { Records } from './table-samples.tsx'

/** Every widget of `ui/` with sample data, for screenshots. */
export function UiPage() {
  return (
    <Announcer>
      <Column gap={11} as="article" style={{ padding: '1.25rem' }}>
        <Lists />
        <Records />
        <Cards />
        <Facts />
        <Pictures />
        <Forms />
        <Dialogs />
      </Column>
    </Announcer>
  )
}
