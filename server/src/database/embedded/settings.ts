import { createHash } from 'node:crypto'
import { logLinePrefix } from './server-reports.ts'
import { socketPort } from './socket-folder.ts'

/**
 * The server's settings as arguments of `postgres`. They are not in a file of the cluster, so that those of a new
 * release hold for a cluster that an older one made.
 */
export function serverArguments(cluster: string, socketFolder: string): string[] {
  const settings = {
    listen_addresses: '',
    port: socketPort,
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    cluster_name: clusterName(cluster),
    max_connections: 100,
    // In a new tenant's first import tables grow from nothing to thousands of rows within seconds; plans follow statistics.
    autovacuum_naptime: '10s',
    shared_buffers: '128MB',
    jit: 'off',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: logLinePrefix,
    // What the server's own processes warn of; the sessions of the service's database log less, see `ensureDatabase`.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    log_statement: 'none',
    log_min_duration_statement: -1,
    // The log is only bounded when the server starts.
    log_checkpoints: 'off',
  }
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** How the titles of the server's processes name this cluster: each begins with `postgres: `, this, and a colon. */
export function clusterName(cluster: string): string {
  return `matricula-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
}
