/** The metrics under which both sides play to win, which games of any kind may have. */
import { metrics, stipulations } from '../../pipeline/game/stipulation.js';

export const directMetrics = metrics.filter((metric) => stipulations[metric].goalOf === 'either');
