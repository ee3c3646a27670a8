import { IconPencil, IconTrash, IconVideo } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import {
  Card,
  CardAlarm,
  CardControls,
  CardFacts,
  CardHead,
  CardName,
  CardReason,
  CardSoft,
  CardViews,
} from '../../ui/card.tsx'
import { CardButton, CardIcon } from '../../ui/card-buttons.tsx'
import { Facts as FactList, Measurements } from '../../ui/facts.tsx'
import { Meter } from '../../ui/meter.tsx'
import { CardGrid } from '../../ui/page.tsx'
import { RecordTable } from '../../ui/record-table.tsx'
import { Part, Section } from '../../ui/section.tsx'
import { Badge, Tag } from '../../ui/tag.tsx'
import { samples } from './samples.ts'

/** Cards of records, in each colour of their border. */
export function Cards() {
  const { t } = useTranslation()
  return (
    <CardGrid>
      {([undefined, 'online', 'offline'] as const).map((status) => (
        <li key={status ?? 'none'}>
          <Card data-status={status}>
            <CardHead>
              <CardName>
                <bdi>{samples.camera}</bdi> <Badge data-on={status === 'online' || undefined}>{samples.empresa}</Badge>
              </CardName>
              <Tag data-status={status}>
                <IconVideo size={17} aria-hidden="true" />
                <span>{samples.share}</span>
              </Tag>
            </CardHead>
            <CardSoft>{samples.empresa}</CardSoft>
            <CardReason>{samples.reason}</CardReason>
            <CardAlarm>{samples.reason}</CardAlarm>
            <CardFacts>{samples.time}</CardFacts>
            <CardViews>
              <CardButton icon={IconVideo} variant="default" label={samples.camera} onClick={() => {}}>
                {samples.camera}
              </CardButton>
            </CardViews>
            <CardControls>
              <CardButton icon={IconPencil} label={t('comum.salvar')} onClick={() => {}}>
                {t('comum.salvar')}
              </CardButton>
              <CardIcon atEnd icon={IconTrash} label={t('comum.fechar')} title={t('comum.fechar')} onClick={() => {}} />
            </CardControls>
          </Card>
        </li>
      ))}
    </CardGrid>
  )
}

/** Facts, meters and tables. */
export const Facts = () => (
  <Section>
    <h2>{samples.empresa}</h2>
    <Measurements>
      <Meter label={samples.camera} share={samples.share} text={samples.time} />
      <Meter label={samples.camera} share={samples.fullShare} text={samples.time} />
      <FactList>
        <div>
          <dt>{samples.camera}</dt>
          <dd>{samples.share}</dd>
        </div>
        <div>
          <dt>{samples.camera}</dt>
          <dd data-alarm>{samples.fullShare}</dd>
        </div>
      </FactList>
    </Measurements>
    <Part>
      <h3>{samples.camera}</h3>
      <RecordTable
        numbers
        label={samples.camera}
        columns={samples.cameras.map((name) => [name, name])}
        rows={samples.cameras}
        keyOf={(name) => name}
      >
        {(name) => (
          <>
            <th scope="row">{name}</th>
            <td>{samples.share}</td>
            <td>{samples.fullShare}</td>
          </>
        )}
      </RecordTable>
    </Part>
  </Section>
)
