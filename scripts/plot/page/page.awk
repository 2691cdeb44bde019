# Prints the page: what it says in the order in which it says it. PAGE_PARTS in the environment is the folder of style,
# script and fixed text, PAGE_POLICY what the page lets a browser do, PAGE_CSV the path from the page to the results.

function print_file(name,    file, line) {
    file = ENVIRON["PAGE_PARTS"] "/" name
    while ((getline line < file) > 0)
        print line
    close(file)
}

END {
    if (failed)
        exit failed
    read_charts()
    print "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
    print "<meta http-equiv=\"Content-Security-Policy\" content=\"" ENVIRON["PAGE_POLICY"] "\">"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
    print "<meta name=\"color-scheme\" content=\"light dark\">"
    print "<link rel=\"icon\" href=\"data:,\">" # else a browser asks the server for one
    print "<title>" html(page_title() (start == "" ? "" : ", " substr(start, 1, 10))) "</title>"
    # What the policy lets run is these bytes: nothing may stand between them and their tags.
    printf "<style>"
    print_file("page.css")
    print_file("table.css")
    print_file("media.css")
    print "</style>\n</head>\n<body>\n<main>"
    print "<h1>" html(page_title()) "</h1>\n<p class=\"headline\">" headline() "</p>"
    print_about()
    print_remarks()
    print_charts()
    print_table()
    print_skipped()
    print_file("method.html")
    printf "</main>\n<script>"
    print_file("page.js")
    print "</script>\n</body>\n</html>"
}
