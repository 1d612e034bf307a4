// The board of the day, and duels.
import { DuelsView } from './duel'

export const TodayView = ({ parts }: { parts: string[] }) => <DuelsView parts={parts} />
