/**
 * A model of the time that a run would take on a device. It uses the operations that were counted and the CPU time that was
 * measured. Results are labelled as a model's wherever they are shown:
 *
 *   time = CPU + latency * (random operations + streams + sequential bytes / transfer) + bytes / bandwidth
 *
 * Nothing is cached, nothing overlaps, one operation is under way at a time. The solvers here do their I/O in that way.
 * Measured times had the help of the operating system's cache; the model leaves the cache out.
 */
import { type IoCounts, ioTotals } from './io-counts.js';

export interface Device {
  readonly name: string;
  readonly title: string;
  /** Milliseconds before the first byte of an operation that does not continue another. */
  readonly latencyMs: number;
  /** Bytes a second once it flows, of one stream. */
  readonly bandwidth: number;
  /**
   * Bytes of a sequential stream that are moved at once (read ahead, or gathered before they are written). A solver that
   * alternates between streams pays the latency once for so many bytes.
   */
  readonly transfer: number;
  /** Source of the figures. */
  readonly basis: string;
}

const MiB = 2 ** 20;

/** Round figures for the kind of device, not of a make. */
export const devices: readonly Device[] = [
  {
    name: 'hdd',
    title: 'hard disk',
    latencyMs: 12,
    bandwidth: 180e6,
    transfer: MiB,
    basis: '7,200 turns a minute: 8 ms to seek, 4 ms for half a turn',
  },
  {
    name: 'ssd',
    title: 'SATA SSD',
    latencyMs: 0.12,
    bandwidth: 500e6,
    transfer: MiB / 2,
    basis: 'one request at a time, 8 KiB; the link limits the stream',
  },
  {
    name: 'nvme',
    title: 'NVMe SSD',
    latencyMs: 0.08,
    bandwidth: 3000e6,
    transfer: MiB / 2,
    basis: 'one request at a time, 8 KiB; flash, PCIe 3 x4',
  },
  {
    name: 's3',
    title: 'object storage',
    latencyMs: 30,
    bandwidth: 90e6,
    transfer: 8 * MiB,
    basis:
      'first byte of a request within a region, one connection, parts of 8 MiB; a page written counts as one request',
  },
];

export interface Modelled {
  readonly device: string;
  readonly ioMs: number;
  /** CPU time, which is measured, and `ioMs`. */
  readonly totalMs: number;
}

export function modelTime(device: Device, io: IoCounts, cpuMs: number): Modelled {
  const { all, sequential, random } = ioTotals(io);
  const waits = random.operations + io.streams + sequential.bytes / device.transfer;
  const ioMs = waits * device.latencyMs + (all.bytes / device.bandwidth) * 1000;
  return { device: device.name, ioMs, totalMs: cpuMs + ioMs };
}
