/** Data tools for Node that read exports. They are where MERGEMATE_TEST_CLIENTS says (test/servers/data-clients.sh installs them). */
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const CLIENTS = process.env.MERGEMATE_TEST_CLIENTS;

/** One of the installed packages. */
export function client<T>(name: string): T {
  return createRequire(join(CLIENTS!, 'package.json'))(name) as T;
}

export interface DuckDbConnection {
  runAndReadAll(sql: string): Promise<{ getRowsJson(): (string | null)[][] }>;
}

export async function connectDuckDb(): Promise<DuckDbConnection> {
  const { DuckDBInstance } = client<{
    DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
  }>('@duckdb/node-api');
  return (await DuckDBInstance.create(':memory:')).connect();
}
