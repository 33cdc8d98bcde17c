import type { Bytes } from '../../platform/bytes.ts';
import { isSecretName } from '../../platform/secret-names.ts';
import { maskShapes } from '../../platform/secret-shapes.ts';
import { maskSecrets } from '../../platform/secrets.ts';

/**
 * What becomes of an exported variable of a session: it goes with it; it is left out because it may be a secret, or is too long; or it is
 * not the session's at all, but of the terminal, the login, the machine, or names code that other programs would run unasked.
 */
export type Fate = 'kept' | 'left out' | 'not its own';

/** Of a value so much, characters. */
const LONGEST = 8192;

export function fateOf(name: Bytes, value: Bytes): Fate {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || NOT_ITS_OWN.some((rule) => rule.test(name))) return 'not its own';
  return value.length > LONGEST || mayBeSecret(name, value) ? 'left out' : 'kept';
}

/** Asked by the name and the value, and by what the line that sets it would lose. */
function mayBeSecret(name: Bytes, value: Bytes): boolean {
  if (isSecretName(name) || maskShapes(value) !== value) return true;
  const line = `export ${name}='${value.replaceAll("'", "'\\''")}'`;
  if (maskSecrets(line) !== line || maskSecrets(value) !== value) return true;
  return !PATHS.test(value) && value.split(/[\s:,;=/]+/).some(isRandom);
}

const PATHS = /^\/[^:]*(?::\/[^:]*)*$/;

/** A word that nobody would type: keys look so. Lines have many such (hashes) and keep them; a variable that is lost is no great loss. */
const isRandom = (word: Bytes): boolean =>
  /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+_-]{20,}$/.test(word) || /^[0-9a-f]{32,}$/i.test(word);

const NOT_ITS_OWN: readonly RegExp[] = [
  // Of the shell and where it is
  /^(?:PWD|OLDPWD|SHLVL|HOME|USER|USERNAME|LOGNAME|SHELL|MAIL|MAILCHECK|HOST|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|VENDOR|E?UID|E?GID|GROUPS|PPID|SECONDS|RANDOM|LINENO|TTY|TTYIDLE|TMPDIR|TEMP|TMP)$/,
  // Of the terminal and the desktop
  /^(?:TERM|COLOR(?:TERM|FGBG)|COLUMNS$|LINES$|DISPLAY$|WAYLAND|XAUTHORITY$|WINDOW|TMUX|STY$|ZELLIJ|KITTY|ALACRITTY|WEZTERM|ITERM|KONSOLE|GHOSTTY|GNOME|KDE|GDM|GTK|GDK|QT_|XDG_|XMODIFIERS$|DESKTOP|SESSION_MANAGER$|VTE_|VSCODE|WT_|WSL|INSIDE_EMACS$|LS_COLORS$|LSCOLORS$|DIRCOLORS$|CLUTTER_|IM_CONFIG|INPUT_METHOD$)/,
  // Of the login and what started it
  /^(?:SSH_|GPG_|DBUS_|SUDO_|PAM_|KRB5CCNAME$|INVOCATION_ID$|JOURNAL_STREAM$|SYSTEMD_|LISTEN_|NOTIFY_SOCKET$|MANAGERPID$|MEMORY_PRESSURE)/,
  /_(?:SOCK(?:ET)?|PID|TTY|FD)$|SOCK$/,
  // Belay's own, and what packs other variables, secrets among them, into one
  /^(?:BELAY|DIRENV_|MISE_|CLAUDE)/,
  // Code that a shell, the linker or a language runs without being asked
  /^(?:LD_|DYLD_|MALLOC_|GLIBC_|GCONV_|LOCPATH$|BASH|ENV$|SHELLOPTS$|IFS$|CDPATH$|FPATH$|ZDOTDIR$|ZSH|GLOBIGNORE$|PROMPT|PS\d|R?PS\d|RPROMPT|SPROMPT$|HIST|FCEDIT$|POSIXLY_CORRECT$|FIGNORE$|TIMEFMT$|TIMEFORMAT$|TMOUT$|FUNCNEST$|FISH|GIT_|LESS(?:OPEN|CLOSE)$)/,
  /PRELOAD|_OPTIONS$|^(?:NODE_(?:V8_COVERAGE|REPL_EXTERNAL_MODULE)|BUN_.*|PYTHON(?:STARTUP|INSPECT|BREAKPOINT|HOME|USERBASE|WARNINGS|PLATLIBDIR)|PERL5(?:OPT|DB)|RUBYOPT|PHP_INI_SCAN_DIR|PHPRC|MAKEFLAGS|MFLAGS|MAKEFILES|MAKELEVEL|npm_config_script_shell|npm_config_node_options)$/,
  // Special in another shell than the one that exported it
  /^(?:path|cdpath|fpath|manpath|mailpath|module_path|psvar|status|pipestatus|argv|prompt|watch|histchars|signals|fignore|aliases|functions|options|commands|parameters|history|historywords|dirstack|version|umask|hostname|zle.*|fish.*|zsh.*)$/,
];
