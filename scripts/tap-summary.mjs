/** @typedef {{ passed: number, failed: number }} Count */

/**
 * Reads AVA's TAP and counts. A test that was skipped or is only planned counts as failed, and so does what AVA counts
 * as a failure without a line of its own (tests that never ran because their process ended).
 *
 * @param {string[]} files - test files as AVA names them in titles, e.g. `platform › private-servers`.
 * @param {(text: string) => void} onFailure - receives each failure in full, as soon as it is complete.
 * @param {(line: string) => void} [onLog] - receives what tests that passed have logged.
 */
export function createTapSummary(files, onFailure, onLog) {
  /** @type {Map<string, Count>} */
  const perFile = new Map();
  const endings = titleEndings(files);
  /** Where AVA runs one file, its titles do not name it. */
  const only = files.length === 1 ? files[0] : undefined;
  const counted = { passed: 0, failed: 0, skipped: 0 };
  /** @type {number | undefined} */
  let reportedFailures;
  /** @type {string[] | undefined} */
  let failure;

  const closeFailure = () => {
    if (failure !== undefined) onFailure(failure.join('\n'));
    failure = undefined;
  };

  return {
    /** @param {string} line */
    read(line) {
      const result = /^(ok|not ok) \d+ - (.*?)(?: # (SKIP|TODO))?$/.exec(line);
      const failTotal = /^# fail (\d+)$/.exec(line);
      if (result !== null) {
        closeFailure();
        const [, status, title = '', directive] = result;
        const passed = status === 'ok' && directive === undefined;
        counted[passed ? 'passed' : 'failed'] += 1;
        if (directive === 'SKIP') counted.skipped += 1;
        addTo(perFile, only ?? fileOf(title, endings), passed);
        if (!passed) failure = [`✘ ${title}${directive === undefined ? '' : ` (${directive})`}`];
      } else if (/^1\.\.\d+$/.test(line)) {
        closeFailure();
      } else if (failTotal !== null) {
        reportedFailures = Number(failTotal[1]);
      } else {
        failure?.push(line);
        // Indented, unlike what AVA itself says.
        if (failure === undefined && line.startsWith('#   ')) onLog?.(line.slice(2));
      }
    },
    /**
     * @param {number | null} exitCode - AVA's.
     * @returns {{ passed: number, failed: number, lines: string[] }}
     */
    finish(exitCode) {
      closeFailure();
      const { passed } = counted;
      const lines = [...perFile].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => fileLine(name, count));
      let failed = Math.max(counted.failed, (reportedFailures ?? 0) + counted.skipped);
      if (failed > counted.failed) lines.push(`✘ ${failed - counted.failed} que não chegaram a terminar`);
      if (reportedFailures === undefined) {
        failed += 1;
        lines.push('✘ AVA terminou antes do fim');
      } else if (passed + failed === 0) {
        failed = 1;
        lines.push('✘ nenhum teste foi executado');
      } else if (exitCode !== 0 && failed === 0) {
        failed = 1;
        lines.push(`✘ AVA terminou com o código ${exitCode}`);
      }
      return { passed, failed, lines };
    },
  };
}

const separator = ' › ';

/**
 * AVA cuts what all files of a run have in common off the front, so a file is known by any ending of its path.
 *
 * @param {string[]} files
 */
function titleEndings(files) {
  const endings = files.flatMap((file) => {
    const parts = file.split(separator);
    return parts.map((_, index) => ({ file, ending: parts.slice(index).join(separator) + separator }));
  });
  return endings.toSorted((a, b) => b.ending.length - a.ending.length);
}

/**
 * @param {string} title
 * @param {ReturnType<typeof titleEndings>} endings
 */
function fileOf(title, endings) {
  return endings.find(({ ending }) => title.startsWith(ending))?.file ?? 'testes';
}

/**
 * @param {Map<string, Count>} perFile
 * @param {string} name
 * @param {boolean} passed
 */
function addTo(perFile, name, passed) {
  const count = perFile.get(name) ?? { passed: 0, failed: 0 };
  count[passed ? 'passed' : 'failed'] += 1;
  perFile.set(name, count);
}

/**
 * @param {string} name
 * @param {Count} count
 */
function fileLine(name, { passed, failed }) {
  return failed === 0 ? `✔ ${name}: ${passed}` : `✘ ${name}: ${passed} ok, ${failed} com falha`;
}
