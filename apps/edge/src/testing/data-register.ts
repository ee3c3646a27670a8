/** One table of `edge.db`: its personal data and the end of its rows. */
interface EdgeEntry {
  /** Personal data of a row; null: none. */
  readonly personal: string | null
  readonly ends: string
}

/** All tables of `edge.db`. The cloud's register (apps/cloud, db/data-register) says what a deletion does with them. */
export const edgeDataRegister: Readonly<Record<string, EdgeEntry>> = {
  records: { personal: 'time and place of events, plates', ends: 'the cloud confirms, or the quota of the disk' },
  media: { personal: 'pictures of events', ends: 'its record' },
  extras: { personal: 'later pictures, discarded candidates', ends: 'the cloud confirms, or the quota of the disk' },
  clips: { personal: 'when something happened', ends: 'stored in the cloud, 48 hours, an order to discard, the quota' },
  clip_events: { personal: 'when something happened', ends: 'its clip, or the reason why there is none' },
  analysis_states: { personal: null, ends: 'the camera is removed' },
  sequences: { personal: null, ends: 'never: one row of each camera' },
  desired: { personal: 'areas and thresholds of plates', ends: 'the next desired state' },
  outbox: { personal: null, ends: 'never: one row' },
  commands: { personal: null, ends: 'a fixed time' },
  rtsp_clients: { personal: null, ends: 'no camera has the address' },
  cameras_away: { personal: null, ends: 'the camera is at its home position' },
}
