# Prints the device of the first row that names one. Reads what csv.awk has taken apart.
function read_header() {}
function read_row() {
    if (!said && get("device") != "") {
        print get("device")
        said = 1
    }
}
