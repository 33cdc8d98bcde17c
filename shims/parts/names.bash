# shellcheck shell=bash
# shellcheck disable=SC2034 # variables cross from file to file
# What every line and prompt looks up. To look a name up writes to it, and after a fork each page that is written is copied: they are named here
# first, so that they lie together, and become what they are further down.

if [[ -z ${__belay_x+x} ]]; then
  __belay_prompted() { \builtin :; }
  __belay_enter() { \builtin :; }
  __belay_record() { \builtin :; }
  __belay_may_be_secret() { \builtin :; }
  __belay_plain_command() { \builtin :; }
  __belay_plain_commands() { \builtin :; }
  __belay_prompt_of=() __belay_here=() __belay_again=() __belay_before='' __belay_none='' __belay_x='' __belay_said='' __belay_turn='' __belay_part=''
  __belay_ps0='' __belay_free='' __belay_number='' __belay_session='' __belay_folder='' __belay_line='' __belay_how='' __belay_later='' __belay_sets=''
  __belay_journal='' __belay_journal_key='' __belay_own='' __belay_hidden='' __belay_ended='' __belay_typed='' __belay_prompts=''
fi
